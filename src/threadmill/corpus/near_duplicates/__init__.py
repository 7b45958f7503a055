"""Finds near-duplicate documents and paragraphs, and removes or marks them."""
