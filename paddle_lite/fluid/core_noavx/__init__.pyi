"""`paddle.fluid.core_noavx`. Made by `python -m stubs`."""

from paddle_lite.fluid.core import *
from paddle_lite.fluid.core import _Scope as _Scope
from paddle_lite.fluid.core import _append_python_callable_object_and_return_id as _append_python_callable_object_and_return_id
from paddle_lite.fluid.core import _cleanup_mmap_fds as _cleanup_mmap_fds
from paddle_lite.fluid.core import _convert_to_tensor_list as _convert_to_tensor_list
from paddle_lite.fluid.core import _create_loaded_parameter as _create_loaded_parameter
from paddle_lite.fluid.core import _dygraph_debug_level as _dygraph_debug_level
from paddle_lite.fluid.core import _erase_process_pids as _erase_process_pids
from paddle_lite.fluid.core import _get_all_register_op_kernels as _get_all_register_op_kernels
from paddle_lite.fluid.core import _is_dygraph_debug_enabled as _is_dygraph_debug_enabled
from paddle_lite.fluid.core import _is_program_version_supported as _is_program_version_supported
from paddle_lite.fluid.core import _load_dygraph_dict as _load_dygraph_dict
from paddle_lite.fluid.core import _load_static_dict as _load_static_dict
from paddle_lite.fluid.core import _remove_tensor_list_mmap_fds as _remove_tensor_list_mmap_fds
from paddle_lite.fluid.core import _save_dygraph_dict as _save_dygraph_dict
from paddle_lite.fluid.core import _save_static_dict as _save_static_dict
from paddle_lite.fluid.core import _set_eager_deletion_mode as _set_eager_deletion_mode
from paddle_lite.fluid.core import _set_fuse_parameter_group_size as _set_fuse_parameter_group_size
from paddle_lite.fluid.core import _set_fuse_parameter_memory_size as _set_fuse_parameter_memory_size
from paddle_lite.fluid.core import _set_process_pids as _set_process_pids
from paddle_lite.fluid.core import _set_process_signal_handler as _set_process_signal_handler
from paddle_lite.fluid.core import _throw_error_if_process_failed as _throw_error_if_process_failed
