"""A guest with Debian's kernel, its real IIO drivers and virtual sensors: prepared once, booted once for each kind."""
