"""Results of a comparison: kept as JSON, exported as CSV, JSON and HTML."""
