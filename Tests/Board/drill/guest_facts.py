"""What the scripts in the guest and their checks outside have in common; see guest/writer.py."""
PLACES = 5
TRUE_BIAS = 0.002
