"""Calls that all workers of a job take part in: over MPI on CPUs, over NCCL on GPUs, and for a worker that is alone."""
