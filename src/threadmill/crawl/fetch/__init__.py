"""The HTTP client: one URL in, what the servers answered out."""
