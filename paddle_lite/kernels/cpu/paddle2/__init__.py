"""CPU kernels of operators of Paddle 2."""
