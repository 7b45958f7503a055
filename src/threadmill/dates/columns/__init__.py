"""The dates of one column are read together, so that each cell helps to read the others."""
