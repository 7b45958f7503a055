"""Crawling: HTTP client, robots.txt and politeness, frontier, site crawls, forum crawls, the watch."""
