"""The message queue between the stages: in memory for one process, or RabbitMQ."""
