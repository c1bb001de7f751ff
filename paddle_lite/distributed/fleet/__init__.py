"""Fleet: one interface to distributed training, with parameter servers or collective."""
