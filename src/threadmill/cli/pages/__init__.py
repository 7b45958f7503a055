"""The verbs that read pages and archives."""
