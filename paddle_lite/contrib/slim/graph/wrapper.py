"""GraphWrapper: a Program with names for what is fed and fetched, its operators, Variables, parameters and costs."""

from __future__ import annotations

import copy
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ....core.errors import ArgumentTypeError, describe, message
from ....io.inference_model import save_inference_model
from ....io.scope_values import file_of
from ....io.variables import load_vars, save_persistables
from ....static.execution.compiled import CompiledProgram
from ....static.execution.executor import Executor
from ....static.program.program import Program, program_guard
from ....static.proto import streams
from .costs import COUNTED, flops_of

__all__ = ["GraphWrapper", "OpWrapper", "VarWrapper"]

OPTIMIZER_OPS = [
    "momentum", "lars_momentum", "adagrad", "adam", "adamax", "dpsgd", "decayed_adagrad", "adadelta", "rmsprop",
]  # fmt: skip
"""Types of operators that update parameters with accumulators."""
_SAVED = ("__model__", "__params__")


class VarWrapper:
    """A Variable of a GraphWrapper; two of them are equal if they have the same name.

    Arguments:
        var: a Variable.
        graph: its GraphWrapper.
    """

    def __init__(self, var: Any, graph: GraphWrapper) -> None:
        self._var, self._graph = var, graph

    def __eq__(self, v: object) -> bool:
        return isinstance(v, VarWrapper) and self.name() == v.name()

    def __hash__(self) -> int:
        return hash(self.name())

    def __repr__(self) -> str:
        return f"VarWrapper({self.name()})"

    def name(self) -> str:
        """Return its name."""
        found: str = self._var.name
        return found

    def shape(self) -> tuple[int, ...]:
        """Return its shape."""
        return tuple(self._var.shape)

    def set_shape(self, shape: Sequence[int]) -> None:
        """Set its shape."""
        self._var.desc.set_shape(list(shape))

    def inputs(self) -> list[OpWrapper]:
        """Return the operators of which it is an input."""
        return [op for op in self._graph.ops() if self in op.all_inputs()]

    def outputs(self) -> list[OpWrapper]:
        """Return the operators of which it is an output."""
        return [op for op in self._graph.ops() if self in op.all_outputs()]


class OpWrapper:
    """An operator of a GraphWrapper; two of them are equal if they are the same operator.

    Arguments:
        op: an Operator.
        graph: its GraphWrapper.
    """

    def __init__(self, op: Any, graph: GraphWrapper) -> None:
        self._op, self._graph = op, graph

    def __eq__(self, op: object) -> bool:
        return isinstance(op, OpWrapper) and self._op is op._op

    def __hash__(self) -> int:
        return id(self._op)

    def __repr__(self) -> str:
        return f"OpWrapper({self._op!r})"

    def _vars(self, names: Iterable[str]) -> list[VarWrapper]:
        return [self._graph.var(name) for name in names]

    def all_inputs(self) -> list[VarWrapper]:
        """Return the Variables that it reads."""
        return self._vars(self._op.input_arg_names)

    def all_outputs(self) -> list[VarWrapper]:
        """Return the Variables that it writes."""
        return self._vars(self._op.output_arg_names)

    def idx(self) -> int:
        """Return its index in its block."""
        return int(self._op.idx)

    def type(self) -> str:
        """Return its type."""
        return str(self._op.type)

    def is_bwd_op(self) -> bool:
        """Return whether it computes gradients."""
        return self.type().endswith("_grad")

    def is_opt_op(self) -> bool:
        """Return whether it updates a parameter with accumulators; sgd has none."""
        return self.type() in OPTIMIZER_OPS

    def inputs(self, name: str) -> list[VarWrapper]:
        """Return the Variables in an input slot."""
        return self._vars(self._op.input(name))

    def outputs(self, name: str) -> list[VarWrapper]:
        """Return the Variables in an output slot."""
        return self._vars(self._op.output(name))

    def set_attr(self, key: str, value: Any) -> None:
        """Set an attribute."""
        self._op._set_attr(key, value)

    def attr(self, name: str) -> Any:
        """Return the value of an attribute."""
        return self._op.attr(name)


class GraphWrapper:
    """A Program as a graph of operators and Variables.

    Arguments:
        program: a Program; an empty one if it is None.
        in_nodes: what is fed: a dict or pairs of a name and the name of a Variable.
        out_nodes: what can be fetched: the same.

    Raises:
        ArgumentTypeError: `program` is no Program.

    >>> import paddle_lite.fluid as fluid
    >>> from paddle_lite.fluid.contrib.slim.graph import GraphWrapper
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     x = fluid.data('x', [None, 3, 8, 8])
    ...     y = fluid.layers.conv2d(x, 4, 3)
    ...     graph = GraphWrapper(fluid.default_main_program(), {'x': x.name}, {'y': y.name})
    >>> graph.flops(), graph.numel_params(), [op.type() for op in graph.ops()]
    (7776.0, 112, ['conv2d', 'elementwise_add'])
    """

    def __init__(
        self,
        program: Any = None,
        in_nodes: Mapping[str, str] | Sequence[tuple[str, str]] = (),
        out_nodes: Mapping[str, str] | Sequence[tuple[str, str]] = (),
    ) -> None:
        if program is not None and not isinstance(program, Program):
            raise ArgumentTypeError(message("GraphWrapper", "program", describe(program), "a Program, or None"))
        self.program = Program() if program is None else program
        self.persistables = {v.name: v for v in self.program.list_vars() if v.persistable}
        self.teacher_persistables: dict[str, Any] = {}
        self.compiled_graph: Any = None
        self.in_nodes, self.out_nodes = OrderedDict(in_nodes), OrderedDict(out_nodes)
        self._attrs: OrderedDict[str, Any] = OrderedDict()

    # --- what is in it ------------------------------------------------------------------------------------------------

    def all_parameters(self) -> list[VarWrapper]:
        """Return the parameters."""
        return [VarWrapper(v, self) for v in self.program.all_parameters()]

    def is_parameter(self, var: VarWrapper) -> bool:
        """Return whether a Variable is a parameter."""
        return bool(var._var.is_parameter)

    def is_persistable(self, var: VarWrapper) -> bool:
        """Return whether a Variable is persistable."""
        return bool(var._var.persistable)

    def ops(self) -> list[OpWrapper]:
        """Return the operators of all blocks."""
        return [OpWrapper(op, self) for op in self.program.all_ops()]

    def vars(self) -> list[VarWrapper]:
        """Return the Variables of all blocks."""
        return [VarWrapper(v, self) for v in self.program.list_vars()]

    def var(self, name: str) -> VarWrapper:
        """Return the Variable of a name; raise MissingKeyError if there is none."""
        for block in self.program.blocks:
            if name in block.vars:
                return VarWrapper(block.vars[name], self)
        return VarWrapper(self.program.global_block().var(name), self)

    def pre_ops(self, op: OpWrapper) -> list[OpWrapper]:
        """Return the operators that write what an operator reads."""
        read = set(op._op.input_arg_names)
        return [each for each in self.ops() if not read.isdisjoint(each._op.output_arg_names)]

    def next_ops(self, op: OpWrapper) -> list[OpWrapper]:
        """Return the operators that read what an operator writes."""
        made = set(op._op.output_arg_names)
        return [each for each in self.ops() if not made.isdisjoint(each._op.input_arg_names)]

    def get_param_by_op(self, op: OpWrapper) -> list[VarWrapper]:
        """Return the parameters that an operator reads.

        Raises:
            ArgumentTypeError: it reads none.
        """
        found = [v for v in op.all_inputs() if self.is_parameter(v)]
        if not found:
            raise ArgumentTypeError(
                message("GraphWrapper.get_param_by_op", "op", op.type(), "one that reads a parameter")
            )
        return found

    def numel_params(self) -> int:
        """Return the number of elements of all parameters."""
        return sum(int(np.prod(v.shape())) for v in self.all_parameters())

    def flops(self, only_conv: bool = False) -> float:
        """Return how many operations a batch of one takes, as PaddlePaddle 1.8.5 counts them.

        Arguments:
            only_conv: whether convolutions alone are counted; else also mul, pool2d, batch_norm, relu and sigmoid.
        """
        total: float = 0
        for op in self.ops():
            if op.type() in COUNTED and not (only_conv and "conv2d" not in op.type()):
                total += flops_of(op)
        return total

    # --- copies -------------------------------------------------------------------------------------------------------

    def compile(self, for_parallel: bool = True, for_test: bool = False, mem_opt: bool = False) -> None:
        """Make `compiled_graph`, which an Executor runs.

        Arguments:
            for_parallel: whether batches are divided among the places.
            for_test: whether nothing is trained.
            mem_opt: accepted for Fluid code, ignored.
        """
        target = self.program
        if for_test:
            loss = None
        else:
            loss = self.out_nodes.get("loss") or self.out_nodes.get("cost")
        compiled = CompiledProgram(target)
        self.compiled_graph = compiled.with_data_parallel(loss_name=loss) if for_parallel else compiled

    def clone(self, for_test: bool = False) -> GraphWrapper:
        """Return a copy; with `for_test`, one whose dropout and batch_norm infer."""
        return GraphWrapper(self.program.clone(for_test), copy.copy(self.in_nodes), copy.copy(self.out_nodes))

    def merge(self, graph: GraphWrapper) -> None:
        """Append the operators and Variables of another graph; its parameters are not trained here."""
        home = self.program.global_block()
        for var in graph.program.list_vars():
            made = home._clone_variable(var, force_persistable=False)
            made.stop_gradient = var.stop_gradient
            if var.persistable:
                self.teacher_persistables[var.name] = made
        for op in graph.ops():
            inputs = {slot: [home.var(n) for n in op._op.input(slot)] for slot in op._op.inputs}
            outputs = {slot: [home.var(n) for n in op._op.output(slot)] for slot in op._op.outputs}
            home.append_op(type=op.type(), inputs=inputs, outputs=outputs, attrs=op._op.all_attrs())

    def get_optimize_graph(
        self, optimizer: Any, place: Any, scope: Any, no_grad_var_names: Sequence[str] = ()
    ) -> GraphWrapper | None:
        """Return a copy to which an optimizer has appended gradients and updates of "loss", or else of "cost"; None without both.

        Arguments:
            optimizer: an Optimizer.
            place: where its state is initialised.
            scope: the Scope with the values of the parameters; what the optimizer needs is put there.
            no_grad_var_names: names of Variables through which no gradient flows.
        """
        graph, startup = self.clone(), Program()
        name = graph.out_nodes.get("loss") or graph.out_nodes.get("cost")
        if name is None:
            return None
        with program_guard(graph.program, startup):
            optimizer.minimize(graph.var(name)._var, no_grad_set=set(no_grad_var_names))
        missing = [v for v in startup.list_vars() if scope.find_var(v.name) is None]
        if missing:
            Executor(place).run(startup, scope=scope)
        return graph

    # --- files --------------------------------------------------------------------------------------------------------

    def save_model(self, path: str, exe: Any) -> None:
        """Save the Program and its persistables in a folder."""
        _made(path).joinpath(_SAVED[0]).write_bytes(self.program.desc.serialize_to_string())
        save_persistables(exe, path, self.program, _SAVED[1])

    def save_infer_model(
        self, path: str, exe: Any, in_out: tuple[Sequence[str], Sequence[str]], program_only: bool = False
    ) -> None:
        """Save an inference model in a folder.

        Arguments:
            in_out: the names, or keys of in_nodes and out_nodes, of what is fed, and of what is computed.
            program_only: whether to leave out the parameters.
        """
        feeds = [self.in_nodes.get(name, name) for name in in_out[0]]
        targets = [self.var(self.out_nodes.get(name, name))._var for name in in_out[1]]
        save_inference_model(
            path, feeds, targets, exe, self.program.clone(), model_filename="__model__.infer",
            params_filename="__params__", program_only=program_only,
        )  # fmt: skip

    def save_persistables(self, path: str, exe: Any) -> None:
        """Save all persistable Variables in a folder, one file each."""
        save_persistables(exe, str(_made(path)), self.program)

    def load_persistables(self, path: str, exe: Any, missing_ok: Collection[str] = ()) -> None:
        """Load all persistable Variables of a folder; their shapes become those of the files, as a pruned network has them.

        Arguments:
            path: the folder.
            exe: the Executor.
            missing_ok: the names of Variables that keep their values if the folder has no file of them.
        """
        loaded = []
        for var in filter(self.is_persistable, self.vars()):
            file = Path(path, file_of("load_persistables", var.name()))
            if file.is_file():
                var.set_shape(streams.load_tensor(str(file)).array.shape)
            elif var.name() in missing_ok:
                continue
            loaded.append(var._var)
        load_vars(exe, path, self.program, vars=loaded)

    # --- shapes -------------------------------------------------------------------------------------------------------

    def update_param_shape(self, scope: Any) -> None:
        """Set the shapes of parameters, and of all else that is persistable, to those of the values in a Scope."""
        for var in self.vars():
            found = scope.find_var(var.name()) if self.is_persistable(var) else None
            if found is not None and found.get_tensor()._is_initialized():
                var.set_shape(found.get_tensor().shape())

    def infer_shape(self) -> None:
        """Compute the shapes of all results anew."""
        for op in self.ops():
            if op.type() != "conditional_block":
                op._op.desc.infer_shape(op._op.block.desc)

    def update_groups_of_conv(self) -> None:
        """Set the groups of depthwise convolutions to the number of their filters."""
        for op in self.ops():
            if op.type() in ("depthwise_conv2d", "depthwise_conv2d_grad"):
                op.set_attr("groups", op.inputs("Filter")[0].shape()[0])


def _made(path: str) -> Path:
    folder = Path(path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
