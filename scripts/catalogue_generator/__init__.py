"""Generates Swift tables and a page for native speakers from the message catalogues. `scripts/catalogues` is its command."""
