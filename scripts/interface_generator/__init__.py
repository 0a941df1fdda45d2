"""Generates what programs need of the interface files: Swift, Python and C declarations, and the manual's reference."""
