"""Reads pages: HTML becomes paragraphs, each judged as content or boilerplate, with language and metadata."""
