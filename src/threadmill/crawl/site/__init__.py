"""The crawl of an ordinary site, which is no forum."""
