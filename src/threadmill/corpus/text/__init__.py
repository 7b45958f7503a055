"""Splits text into sentences and tokens, and finds tags and lemmas."""
