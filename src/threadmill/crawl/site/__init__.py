"""The crawl of an ordinary site."""
