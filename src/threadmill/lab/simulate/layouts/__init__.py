"""The layouts, one module per forum engine. Each is loaded when a forum needs it."""
