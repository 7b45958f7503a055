"""Who may use the console, and what a page of it may do."""
