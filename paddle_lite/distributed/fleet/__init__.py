"""Fleet: one interface to jobs of several processes. In this version a job of one process runs."""
