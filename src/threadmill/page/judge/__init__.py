"""Each block of a page is judged: content or boilerplate, with the reason."""
