"""A text becomes tokens with class letters: digits, month names, weekdays, separators."""
