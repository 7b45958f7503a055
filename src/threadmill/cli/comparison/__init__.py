"""The commands that compare sites: `sites` on one machine, `serve` and `worker` as a service."""
