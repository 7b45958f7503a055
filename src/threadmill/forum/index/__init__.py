"""An index page becomes rows of threads and boards."""
