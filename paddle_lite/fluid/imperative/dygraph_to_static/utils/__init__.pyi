"""`paddle.fluid.imperative.dygraph_to_static.utils`. Made by `python -m stubs`."""

from paddle_lite.fluid.dygraph.dygraph_to_static.utils import *
from paddle_lite.fluid.dygraph.dygraph_to_static.utils import _add_keywords_to as _add_keywords_to
from paddle_lite.fluid.dygraph.dygraph_to_static.utils import _delete_keywords_from as _delete_keywords_from
from paddle_lite.fluid.dygraph.dygraph_to_static.utils import _is_api_in_module_helper as _is_api_in_module_helper
