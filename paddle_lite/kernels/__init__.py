"""Kernels of operators on the CPU and on GPUs, and the compiler that makes machine code of them."""
