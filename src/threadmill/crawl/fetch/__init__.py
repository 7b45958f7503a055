"""The HTTP client: takes a URL, returns what the servers answered."""
