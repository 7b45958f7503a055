"""Crawls forums: everything once, then only pages with new posts. Rows of index pages show where they are."""
