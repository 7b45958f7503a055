"""Judges each paragraph of a page: content or boilerplate, with the reason."""
