"""What is written in a simulated forum: its boards, threads, posts, authors, words and dates."""
