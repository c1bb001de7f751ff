"""Working memory, thresholds and reductions that kernels share."""
