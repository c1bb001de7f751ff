"""`paddle.fluid.multiprocess_utils`. Made by `python -m stubs`."""

from paddle_lite.fluid import core as core
from paddle_lite.fluid.internals.native.processes import CleanupFuncRegistrar as CleanupFuncRegistrar
from paddle_lite.fluid.internals.native.processes import _cleanup as _cleanup
from paddle_lite.fluid.internals.native.processes import _cleanup as _of__clear_multiprocess_queue_set
from paddle_lite.fluid.internals.native.processes import _cleanup_mmap_fds as _of__cleanup_mmap
from paddle_lite.fluid.internals.native.processes import _set_SIGCHLD_handler as _set_SIGCHLD_handler
from paddle_lite.fluid.internals.native.processes import multiprocess_queue_set as multiprocess_queue_set
from typing import Any
_cleanup_mmap = _of__cleanup_mmap
_clear_multiprocess_queue_set = _of__clear_multiprocess_queue_set
_SIGCHLD_handler_set: Any
