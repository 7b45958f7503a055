"""Finds the sites of a list that belong to one company: fetch, read, compare, report."""
