"""Splits text into sentences and tokens, and finds lemmas."""
