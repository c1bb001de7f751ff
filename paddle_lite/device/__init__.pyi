"""`paddle.device`. Made by `python -m stubs`."""

from paddle_lite.core.place import CPUPlace as CPUPlace
from paddle_lite.core.place import CUDAPinnedPlace as CUDAPinnedPlace
from paddle_lite.core.place import CUDAPlace as CUDAPlace
from paddle_lite.core.place import is_compiled_with_cuda as is_compiled_with_cuda
from paddle_lite.imperative.base import get_device as get_device
from paddle_lite.imperative.base import set_device as set_device
