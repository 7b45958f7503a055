"""What is learnt about one forum: URL patterns, page sizes, orders, and the wrapper of its posts."""
