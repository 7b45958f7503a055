"""The forum crawl: everything once, then only pages with new posts; rows and counts tell where they are."""
