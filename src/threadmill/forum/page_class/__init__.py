"""What a page is: index, thread or other."""
