"""The results of a comparison as CSV, JSON and HTML."""
