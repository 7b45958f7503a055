"""Patterns over class letters find what is written like a date or a time."""
