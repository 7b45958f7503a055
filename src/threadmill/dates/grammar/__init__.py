"""Matches the patterns of dates and times, and reads each match as a written date or time."""
