"""Running Programs, and their values by name.

The table below says where each name is; `core/lazy.py` explains its form. Names are imported at their first use.
"""

from ...core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    within fluid.imports: *
    static.execution.executor: Executor
    static.execution.fetch_handler: FetchHandler FetchHandlerMonitor
    static.execution.scope: global_scope scope_guard
    within core.place: CPUPlace
    within fluid.internals.values: _as_lodtensor _fetch_var _to_name_str as_numpy check_feed_shape_type
    within fluid.internals.values: dimension_is_compatible_with dtype_is_compatible_with
    within static.execution.scope: _switch_scope=switch_scope
    within fluid.internals.program_traits: _get_program_cache_key=program_cache_key has_feed_operators has_fetch_operators
    within fluid.internals.program_traits: _get_strong_program_cache_key=strong_program_cache_key
    within static.execution.scope: g_scope=global_scope()
    """,
)
