"""What the system tests share: the real programs, the parts around them and the clients that ask them."""
