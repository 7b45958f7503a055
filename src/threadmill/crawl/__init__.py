"""Fetching: client, robots and politeness, frontier, schedule, the loop."""
