"""Parses a page, and reads from its tree what needs no blocks: links, hidden elements, metadata."""
