"""`paddle.fluid.dygraph.dygraph_to_static.partial_program`. Made by `python -m stubs`."""

from paddle_lite import compat as _of_cpt
from paddle_lite.fluid import backward as backward
from paddle_lite.fluid import core as core
from paddle_lite.fluid import dygraph as _of_layers
from paddle_lite.fluid import framework as framework
from paddle_lite.fluid.internals.dygraph import switch_to_static_graph as switch_to_static_graph
from paddle_lite.jit.partial_program import PartialProgramLayer as PartialProgramLayer
from paddle_lite.jit.partial_program import partial_program_from as partial_program_from
from paddle_lite.jit.partial_program import valid_vars as valid_vars
cpt = _of_cpt
layers = _of_layers
