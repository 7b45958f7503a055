"""Near-duplicate documents and paragraphs are found and removed or marked."""
