"""The verbs that crawl forums and sites and show what was found."""
