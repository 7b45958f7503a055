"""The commands that read pages and archives."""
