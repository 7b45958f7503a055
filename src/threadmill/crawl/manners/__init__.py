"""Manners of a guest: robots.txt, delays between requests, limits per host."""
