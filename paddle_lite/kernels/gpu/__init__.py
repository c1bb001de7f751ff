"""Kernels for NVIDIA GPUs through CuPy. Imported only once a CUDAPlace is used."""
