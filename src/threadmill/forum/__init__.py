"""Tree → rows and posts of a forum nobody has seen before: records, classes, paging, order, patterns."""
