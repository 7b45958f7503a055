"""Tables that every crawl uses: jobs, runs, URLs, captures and robots.txt files."""
