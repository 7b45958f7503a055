"""Tells whether a page is an index page, a thread page or another page."""
