"""Compares sites: evidence for each pair, a score for each pair, clusters of pairs."""
