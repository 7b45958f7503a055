"""The site comparison as a service: an HTTP API, stages connected by a message queue, state in the store."""
