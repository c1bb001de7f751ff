"""A stand-in for CuPy, on the CPU: what programs for a GPU do wrong shows without one.

Its arrays refuse to meet those of NumPy, or those of another device. Operations run at once, but the stand-in keeps the order that
streams and events ask for: a read of what another stream has written, without a wait between the two, is an error. While a stream is
captured, what needs the host is an error, as is memory from outside of the pool that is in use; what was captured is replayed in the
same memory. Kernels for GPUs run thread by thread in Python (kernels/gpu/device/grid.py).

    from paddle_lite.kernels import registry
    from paddle_lite.kernels.gpu.stand_in import StandIn

    gpu = StandIn(devices=2)
    registry.use_gpu_module(gpu, kernels=True)

`gpu.uploads` and `gpu.downloads` are the shapes of what was copied to a device and from it.
"""

from .module import StandIn

__all__ = ["StandIn"]
