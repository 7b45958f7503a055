"""Paragraphs are split into sentences and tokens, and tokens get lemmas."""
