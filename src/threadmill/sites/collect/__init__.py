"""Fetches the pages of a site that say most about it, or takes them from an archive."""
