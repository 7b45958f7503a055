"""Documents to corpora: near-duplicates, sentences, tokens, lemmas, vertical text and its kin."""
