"""What the tests of the real programs share: the programs, the parts around them, and the clients that call them."""
