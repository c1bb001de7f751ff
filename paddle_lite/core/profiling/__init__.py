"""The events of a profiler, and reports of them."""
