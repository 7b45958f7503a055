"""Capture → tree → paragraphs: encoding, visibility, blocks, boilerplate, language, metadata; pure."""
