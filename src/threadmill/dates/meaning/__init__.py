"""Decides which moment a written date means."""
