"""Tables of a forum crawl: forums, boards, threads, posts, page visits."""
