"""The processes of a job on this machine: they are started, watched and ended together."""
