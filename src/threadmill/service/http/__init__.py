"""The REST API: calls, schemas, errors."""
