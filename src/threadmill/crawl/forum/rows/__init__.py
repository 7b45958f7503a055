"""What the rows of index pages say, how far they are believed, and what they make due."""
