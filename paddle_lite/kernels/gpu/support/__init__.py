"""What kernels of GPUs share: checks that are read later, shapes of grids."""
