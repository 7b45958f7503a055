"""The HTTP API: routes, request and response schemas, error answers."""
