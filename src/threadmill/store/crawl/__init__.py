"""Tables that every crawl writes: jobs, URLs, captures, robots.txt files."""
