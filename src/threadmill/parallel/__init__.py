"""Runs a stage over many inputs at once, on the cores of this machine or on a Ray cluster, in input order."""
