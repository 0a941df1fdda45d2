"""The documents as their commands run in tests: what each page presumes, prints, and leaves to other tests."""
