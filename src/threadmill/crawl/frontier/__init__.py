"""Which URL is fetched next, and where new URLs come from."""
