"""The commands that crawl forums and sites, and export and report what was found."""
