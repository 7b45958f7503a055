"""The commands that build, deduplicate, index and search corpora."""
