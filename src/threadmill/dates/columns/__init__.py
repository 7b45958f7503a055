"""Settles date columns: all cells of a column are read together, so each cell helps to read the others."""
