"""Getting in: cookies, headers, passwords and log-in forms of closed sites, and proxies on the way."""
