print("waymarkd")
