"""Keeps many forums current. Busy boards are visited more often, within a daily budget per host."""
