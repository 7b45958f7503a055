"""Compiled loops. Each has a twin in Python that gives the same result."""
