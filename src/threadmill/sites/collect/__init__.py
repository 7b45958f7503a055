"""Fetches the pages of a site that tell most about it."""
