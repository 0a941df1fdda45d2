"""The pictures of the documents: displays, terminals and reports as the programs really show them."""
