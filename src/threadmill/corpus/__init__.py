"""Turns documents into corpora: near-duplicates, sentences, tokens, lemmas, vertical text, search."""
