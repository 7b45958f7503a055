"""Splits a text into tokens with class letters: digits, month names, weekdays, separators."""
