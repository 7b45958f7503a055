"""Politeness towards hosts: robots.txt, delays between requests, limits per host."""
