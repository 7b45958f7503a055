"""The pages of one forum: its boards, threads and posts, charts, and the learnt model in words."""
