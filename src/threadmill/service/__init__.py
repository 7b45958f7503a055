"""The comparison of sites as a service: REST calls in front, stages behind a queue, state in the store."""
