"""The operations page, and the addresses for monitors: /health and /metrics."""
