"""Finds the pager of a page: its next and last page, and the rule that makes the URL of page k."""
