"""Captures and stored threads become documents, and documents become one corpus file."""
