"""The verbs that build and search corpora."""
