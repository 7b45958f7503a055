"""Bytes become a tree: encoding, links, hidden elements, metadata."""
