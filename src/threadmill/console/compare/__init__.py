"""Comparing extractions: several readings of a page side by side, and the votes of people."""
