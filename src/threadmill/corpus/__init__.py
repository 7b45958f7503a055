"""Turns documents into corpora: near-duplicates, sentences, tags, lemmas, vertical text, search, queries."""
