"""Judges a crawl of a simulated forum: the ground truth, the pages downloaded and the posts exported."""
