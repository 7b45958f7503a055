"""Answers questions about a corpus by its positions: CQL queries, concordances and statistics."""
