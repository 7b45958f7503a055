"""Groups the pages of a site by the framing they share: the method of the original paper ("the source")."""
