"""Tables of the site comparison service: tasks, their sites, and compared pairs."""
