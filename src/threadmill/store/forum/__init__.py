"""Tables of forum crawls: forums, boards, threads, posts and page visits."""
