"""`paddle.fluid.dygraph.jit`. Made by `python -m stubs`."""

from paddle_lite.fluid.dygraph import *
from paddle_lite.fluid.dygraph import _LearningRateEpochDecay as _LearningRateEpochDecay
from paddle_lite.fluid.dygraph import _all_cap_re as _all_cap_re
from paddle_lite.fluid.dygraph import _append_grad_suffix_ as _append_grad_suffix_
from paddle_lite.fluid.dygraph import _convert_camel_to_snake as _convert_camel_to_snake
from paddle_lite.fluid.dygraph import _current_expected_place as _current_expected_place
from paddle_lite.fluid.dygraph import _declarative_ as _declarative_
from paddle_lite.fluid.dygraph import _dygraph_guard as _dygraph_guard
from paddle_lite.fluid.dygraph import _dygraph_to_static_func_ as _dygraph_to_static_func_
from paddle_lite.fluid.dygraph import _dygraph_tracer as _dygraph_tracer
from paddle_lite.fluid.dygraph import _extract_vars as _extract_vars
from paddle_lite.fluid.dygraph import _first_cap_re as _first_cap_re
from paddle_lite.fluid.dygraph import _functional_dygraph_context_manager as _functional_dygraph_context_manager
from paddle_lite.fluid.dygraph import _print_debug_msg as _print_debug_msg
from paddle_lite.fluid.dygraph import _switch_to_static_graph_ as _switch_to_static_graph_
from paddle_lite.fluid.dygraph import _switch_tracer_mode_guard_ as _switch_tracer_mode_guard_
from paddle_lite.fluid.dygraph import _trace as _trace
from paddle_lite.fluid.dygraph import _varbase_creator as _varbase_creator
