"""`paddle.fluid.dygraph.dygraph_to_static.ifelse_transformer`. Made by `python -m stubs`."""

from paddle_lite.fluid.internals.syntax.conditions import IfConditionVisitor as IfConditionVisitor
from paddle_lite.fluid.internals.syntax.name_uses import get_name_ids as get_name_ids
