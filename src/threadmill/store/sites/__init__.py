"""Tables of the comparison of sites: tasks, their sites, and compared pairs."""
