"""Passes over Graphs by the names of PaddlePaddle 1.8.5: `core.get_pass` and `core.PassBuilder`.

Most passes of 1.8.5 change only how fast a Program runs or how much memory it takes: they merge operators, or order and free
values. Plans do that by themselves for every Program, so these passes leave a Graph as it is.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, IndexRangeError, MissingKeyError, describe, message
from ..desc.program import ProgramDesc
from .drawing import dot_graph
from .graph import Graph

FOR_SPEED = frozenset(
    f"{name}_pass"
    for name in [
        "add_reader_dependency",
        "attention_lstm_fuse",
        "buffer_shared_cross_op_memory_reuse",
        "buffer_shared_inplace",
        "coalesce_grad_tensor",
        "conditional_block_op_eager_deletion",
        "conv3d_bias_mkldnn_fuse",
        "conv_activation_mkldnn_fuse",
        "conv_affine_channel_fuse",
        "conv_bias_mkldnn_fuse",
        "conv_bn_fuse",
        "conv_concat_relu_mkldnn_fuse",
        "conv_elementwise_add2_act_fuse",
        "conv_elementwise_add_act_fuse",
        "conv_elementwise_add_fuse",
        "conv_elementwise_add_mkldnn_fuse",
        "conv_eltwiseadd_affine_channel_fuse",
        "conv_eltwiseadd_bn_fuse",
        "conv_leaky_relu_mkldnn_fuse",
        "conv_relu6_mkldnn_fuse",
        "conv_relu_mkldnn_fuse",
        "conv_swish_mkldnn_fuse",
        "conv_transpose_bias_mkldnn_fuse",
        "conv_transpose_bn_fuse",
        "conv_transpose_eltwiseadd_bn_fuse",
        "depthwise_conv_mkldnn",
        "eager_deletion",
        "embedding_fc_lstm_fuse",
        "fc_elementwise_layernorm_fuse",
        "fc_fuse",
        "fc_gru_fuse",
        "fc_lstm_fuse",
        "fc_mkldnn",
        "fuse_adam_op",
        "fuse_bn_act",
        "fuse_elewise_add_act",
        "fuse_momentum_op",
        "fuse_relu_depthwise_conv",
        "fuse_sgd_op",
        "fusion_group",
        "identity_scale_op_clean",
        "matmul_transpose_reshape_fuse",
        "mkldnn_inplace",
        "mkldnn_placement",
        "modify_op_lock_and_record_event",
        "mul_gru_fuse",
        "mul_lstm_fuse",
        "multihead_matmul_fuse",
        "recurrent_op_eager_deletion",
        "reference_count",
        "repeated_fc_relu_fuse",
        "runtime_context_cache",
        "scale_matmul_fuse",
        "seq_concat_fc_fuse",
        "seqconv_eltadd_relu_fuse",
        "seqpool_concat_fuse",
        "seqpool_cvm_concat_fuse",
        "sequential_execution",
        "shuffle_channel_detect",
        "simplify_with_basic_ops",
        "skip_layernorm_fuse",
        "squared_mat_sub_fuse",
        "transpose_flatten_concat_fuse",
        "while_op_eager_deletion",
    ]
)
"""Passes of 1.8.5 after which a Program computes the same."""


class Pass:
    """A pass over a Graph, which `core.get_pass` makes.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     y = fluid.layers.dropout(fluid.data('x', [2], 'float32'), 0.5)
    ...     graph = fluid.core.Graph(fluid.default_main_program().desc)
    >>> fluid.core.get_pass('is_test_pass').apply(graph)
    >>> [node.op().attr('is_test') for node in graph.nodes() if node.is_op()]
    [True]
    """

    def __init__(self, type: str = "") -> None:
        self._type = type
        self._attributes: dict[str, Any] = {}

    def type(self) -> str:
        """Return the name of the pass."""
        return self._type

    def has(self, name: str) -> bool:
        """Return whether an attribute of this name is set."""
        return name in self._attributes

    def set(self, name: str, value: Any) -> None:
        """Set an attribute, which must not be set yet.

        Raises:
            ArgumentValueError: the attribute is set.
        """
        if name in self._attributes:
            raise ArgumentValueError(message("Pass.set", "name", f"{name!r}, which is set", "a new name"))
        self._attributes[name] = value

    set_not_owned = set

    def apply(self, graph: Graph) -> None:
        """Change a Graph.

        Raises:
            ArgumentTypeError: `graph` is not a Graph, or an attribute is not what the pass needs.
            MissingKeyError: an attribute that the pass needs is not set.
        """
        if not isinstance(graph, Graph):
            raise ArgumentTypeError(message("Pass.apply", "graph", describe(graph), "a fluid.core.Graph"))
        if self._type in _WORK:
            _WORK[self._type](self, graph)

    def needed(self, name: str, type: Any) -> Any:
        """Return an attribute that the pass needs.

        Raises:
            MissingKeyError: the attribute is not set.
            ArgumentTypeError: it is not of a type.
        """
        where = f"{self._type}.apply"
        if name not in self._attributes:
            fix = f"Call set({name!r}, ...) before."
            raise MissingKeyError(message(where, f"attribute {name!r}", "nothing", f"a {type.__name__}", fix))
        value = self._attributes[name]
        if not isinstance(value, type):
            raise ArgumentTypeError(message(where, f"attribute {name!r}", describe(value), f"a {type.__name__}"))
        return value


def _to_program(work: Pass, graph: Graph) -> None:
    """Put the operators of a Graph into the Program whose description is the attribute `program`."""
    target = work.needed("program", ProgramDesc).of
    made = graph.to_program()
    target.blocks, target.current_block_idx = made.blocks, 0
    for block in target.blocks:
        block.program = target
    target._changed()


def _draw(work: Pass, graph: Graph) -> None:
    """Write a Graph to the file of the attribute `graph_viz_path`, in the language of Graphviz."""
    path = work.needed("graph_viz_path", str)
    marked = graph.get_marked_nodes(_MARKED) if graph.has(_MARKED) else ()
    folder = os.path.dirname(path)
    if folder:
        os.makedirs(folder, exist_ok=True)
    with open(os.fspath(path), "w", encoding="utf8") as file:
        file.write(dot_graph(graph, marked).source)


def _for_tests(work: Pass, graph: Graph) -> None:
    """Set `is_test` on the operators that behave differently in tests."""
    for node in graph.nodes():
        op = node.op() if node.is_op() else None
        if op is not None and op.has_attr("is_test"):
            op._set_attr("is_test", True)


_MARKED = "__graphviz__marked_node__"
_WORK: dict[str, Callable[[Pass, Graph], None]] = {
    "graph_to_program_pass": _to_program,
    "graph_viz_pass": _draw,
    "is_test_pass": _for_tests,
}


def get_pass(pass_type: str) -> Pass:
    """Return a pass by its name in PaddlePaddle 1.8.5.

    Arguments:
        pass_type: the name. `graph_to_program_pass`, `graph_viz_pass` and `is_test_pass` do what they do there. Passes that
            only make Programs faster are accepted, and do nothing: Plans do such things for every Program.

    Returns:
        A Pass.

    Raises:
        ArgumentValueError: there is no such pass, or it needs several devices or integer kernels.
    """
    if pass_type not in _WORK and pass_type not in FOR_SPEED:
        needs = f"one of {', '.join(_WORK)}, or a pass of PaddlePaddle 1.8.5 that only makes Programs faster"
        raise ArgumentValueError(message("get_pass", "pass_type", repr(pass_type), needs))
    return Pass(pass_type)


class PassBuilder:
    """A list of passes.

    >>> import paddle_lite.fluid as fluid
    >>> passes = fluid.core.PassBuilder()
    >>> passes.append_pass('fc_fuse_pass').type()
    'fc_fuse_pass'
    >>> _ = passes.insert_pass(0, 'conv_bn_fuse_pass')
    >>> [each.type() for each in passes.all_passes()]
    ['conv_bn_fuse_pass', 'fc_fuse_pass']
    """

    def __init__(self) -> None:
        self._passes: list[Pass] = []

    def all_passes(self) -> list[Pass]:
        """Return the passes in order."""
        return list(self._passes)

    def append_pass(self, pass_type: str) -> Pass:
        """Append the pass with a name, and return it.

        Raises:
            ArgumentValueError: there is no such pass.
        """
        return self.insert_pass(len(self._passes), pass_type)

    def insert_pass(self, index: int, pass_type: str) -> Pass:
        """Insert the pass with a name at an index, and return it.

        Raises:
            ArgumentValueError: there is no such pass.
            IndexRangeError: the index is greater than the number of passes.
        """
        if not 0 <= index <= len(self._passes):
            raise IndexRangeError(message("PassBuilder.insert_pass", "index", index, f"0 to {len(self._passes)}"))
        made = get_pass(pass_type)
        self._passes.insert(index, made)
        return made

    def remove_pass(self, index: int) -> None:
        """Remove the pass at an index.

        Raises:
            IndexRangeError: there is none.
        """
        if not 0 <= index < len(self._passes):
            needs = f"an index below {len(self._passes)}"
            raise IndexRangeError(message("PassBuilder.remove_pass", "index", index, needs))
        del self._passes[index]
