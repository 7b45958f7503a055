"""Decides which places of a site's pages hold its framing, by what they hold on all pages."""
