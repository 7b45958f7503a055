"""Judges by the context whether a match is a date, and which time belongs to which date."""
