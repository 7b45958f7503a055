"""A parsed page is cut into blocks of text."""
