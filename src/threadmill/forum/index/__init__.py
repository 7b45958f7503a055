"""Turns an index page into rows of threads and boards, and finds the order in which the threads stand."""
