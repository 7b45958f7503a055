"""The names under which the store keeps, beside what a row said, what a crawl thinks of it."""

from __future__ import annotations

SEEN = "seen"  # what time it was at the site when a row said what is stored
STILL = "still"  # did a thread's counter stand still when it was opened, or a number of a board's row
SURE = "sure"  # has a counter or date moved, beyond doubt
EXCESS = "excess"  # how many posts a row counted beyond those shown when the thread was read to its end
FALLEN = "fallen"  # by how many posts its counter has gone down since, without a visit

MISSES = "misses"  # runs in which a board's page came without rows
CHECKED = "checked"  # when a board's row was last compared
BY = "by"  # the board whose page shows that row
GROWN = "grown"  # posts its row has gained since it was last read
FOUND = "found"  # posts that the rows of its threads have gained in this reading
ARRIVED = "arrived"  # posts of threads that have come from other boards, or that a stub is left of
READ = "read"  # the numbers of the pages that this reading has read
DEEPER = "deeper"  # was a page read below one whose last thread had not changed
SETTLED = "settled"  # what time it was at the site when all that its row had gained was found
HOLLOW = "hollow"  # how often a board was passed over that had nothing of its own
LOOKS = "looks"  # and how often it was looked at in vain

PASSING = {GROWN, FOUND, ARRIVED, READ, STILL, SURE, DEEPER}  # of no use once the board has been read
OF_EMPTY = (MISSES, HOLLOW, LOOKS)  # what is forgotten of a board once it shows threads
KEPT = (*OF_EMPTY, SETTLED)  # what no row of a board tells
