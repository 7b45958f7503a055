"""Messages between the stages: in one process, or through RabbitMQ."""
