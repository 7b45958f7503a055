"""Search over paragraphs and posts: what is indexed, how a question reads, where the words stand."""
