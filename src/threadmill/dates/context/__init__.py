"""What stands around a match decides whether it is a date, and which time belongs to which date."""
