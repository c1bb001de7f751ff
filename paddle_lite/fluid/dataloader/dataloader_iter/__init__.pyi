"""`paddle.fluid.dataloader.dataloader_iter`. Made by `python -m stubs`."""

from paddle_lite.core.mode import in_imperative_mode as _of_in_dygraph_mode
from paddle_lite.fluid import core as core
from paddle_lite.fluid.internals.constants import MP_INDICES_CHECK_INTERVAL as MP_INDICES_CHECK_INTERVAL
from paddle_lite.fluid.internals.native.processes import CleanupFuncRegistrar as CleanupFuncRegistrar
from paddle_lite.fluid.internals.native.processes import ParentWatchDog as ParentWatchDog
from paddle_lite.fluid.internals.native.processes import _cleanup_mmap_fds as _of__cleanup_mmap
from paddle_lite.fluid.internals.native.processes import _set_SIGCHLD_handler as _set_SIGCHLD_handler
from paddle_lite.reader.dataset import default_collate_fn as default_collate_fn
from paddle_lite.reader.loader import DataLoaderIterBase as _of__DataLoaderIterBase
from paddle_lite.reader.loader import DataLoaderIterMultiProcess as _of__DataLoaderIterMultiProcess
from paddle_lite.reader.loader import DataLoaderIterSingleProcess as _of__DataLoaderIterSingleProcess
_DataLoaderIterBase = _of__DataLoaderIterBase
_DataLoaderIterMultiProcess = _of__DataLoaderIterMultiProcess
_DataLoaderIterSingleProcess = _of__DataLoaderIterSingleProcess
_cleanup_mmap = _of__cleanup_mmap
in_dygraph_mode = _of_in_dygraph_mode
