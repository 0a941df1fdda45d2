"""The soak: clients of all kinds and trouble with the sensors for as long as one likes, and what that costs the daemon.

`test_soak.py` runs it; `make soak MINUTES=30` for long. Each kind of client is a process of its own, so that none waits
for another's Python.
"""
