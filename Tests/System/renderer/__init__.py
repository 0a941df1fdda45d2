"""A renderer that knows what the socket and docs/placements.md say, and measures in pixels what it draws."""
