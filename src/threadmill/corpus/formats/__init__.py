"""Documents written as CoNLL-U and as JSON lines."""
