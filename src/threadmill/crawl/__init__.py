"""Fetching: client, robots.txt, politeness, frontier and the loop; what servers answer becomes a Capture."""
