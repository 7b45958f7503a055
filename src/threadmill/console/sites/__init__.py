"""Comparisons of sites: start one, see its clusters and evidence, decide about pairs."""
