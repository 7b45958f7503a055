"""The stocks of words, one module per language."""
