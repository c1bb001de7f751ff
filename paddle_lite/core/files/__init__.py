"""Files: written atomically, saved together, locked, read without running anything."""
