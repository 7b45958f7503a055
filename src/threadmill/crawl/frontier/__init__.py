"""Queues of URLs, which of them is fetched next, and where new URLs come from."""
