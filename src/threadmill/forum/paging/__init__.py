"""The pager of a page: next page, last page, and how the URLs of pages are made."""
