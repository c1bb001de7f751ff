"""GradientBuilder: selects and appends the gradient operators of a list of operators, and sums partial gradients."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ...core.dtype import VarType, to_numpy
from ...core.errors import GraphError, message
from ...ops.framework import registry
from ...ops.framework.spec import Grad
from ..operators.structural import EMPTY, ControlGrad, definitions, passes
from ..program.block import Block
from ..program.operator import Operator
from ..program.program import program_guard
from ..program.roles import OpRole, role
from ..program.shape_inference import at_line
from ..program.variable import Variable
from .second_derivatives import differentiable_form, warn_of_gaps
from .writers import Writers

NOT_COPIED = ("op_role", "op_role_var", "op_callstack")


class PartialGradient(NamedTuple):
    """A partial gradient of a Variable, and the operator that wrote it."""

    op: Operator
    name: str


class GradientBuilder:
    """Appends the gradients of a list of operators.

    Arguments:
        block: the block of the operators.
        forward: the operators in order.
        sources: the names of the Variables to differentiate by.
        stopped: the names of the Variables through which no gradient flows.
        callbacks: called after each gradient operator.
    """

    def __init__(
        self,
        block: Block,
        forward: Sequence[Operator],
        sources: set[str],
        stopped: set[str],
        callbacks: Iterable[Callable],
    ) -> None:
        self.block = block
        self.forward = list(map(differentiable_form, forward))
        self.sources = sources
        self.stopped = stopped
        self.callbacks = tuple(callbacks)
        self.carried: set[str] = (
            set()
        )  # loop-carried sources: the gradient is with respect to their value before the operators
        self.all_results = False  # whether results that depend on no source have gradients, too
        self.flows: set[str] = set()  # what has a gradient, if the targets depend on it
        self.sourced: set[str] = set()  # the part of it that depends on a source
        self.pieces: dict[str, list[PartialGradient]] = {}
        self.done: dict[str, Variable] = {}
        self.read_as: Mapping[str, str] = {}  # forward Variable -> the Variable that gradient operators read instead
        self.writers = Writers(block.program)
        self.before: Callable[[Operator], None] = lambda op: None  # called before an operator is differentiated

    def run(self, start: Mapping[str, Variable]) -> dict[str, Variable]:
        """Append all gradient operators.

        Arguments:
            start: target name -> its gradient.

        Returns:
            Variable name -> its gradient, for the sources and all Variables between them and the targets.
        """
        with program_guard(self.block.program):
            return self._run(start)

    def _run(self, start: Mapping[str, Variable]) -> dict[str, Variable]:
        active = {id(op) for op in self._active(set(start))}
        self.done.update(start)
        for op in reversed(self.forward):
            if id(op) not in active:
                with role(OpRole.Backward):
                    for name in op.output_arg_names if self.all_results else ():
                        self._finished(name)
                self._overwritten(op)
                continue
            with role(OpRole.Backward):
                self.before(op)
                self._differentiate(op)
            for callback in self.callbacks:
                callback(block=self.block, context=op)
        for name in [n for n in self.pieces if n in self.sources]:
            with role(OpRole.Backward):
                self._finished(name)
        return self.done

    def _active(self, targets: set[str]) -> list[Operator]:
        """Return the operators on a path to a target from a source; with `all_results`, from any floating result.

        Operators with blocks that lie on a path from a source are differentiated by what depends on sources only: a block
        computes all its gradients or none.
        """
        flows = self.flows = set(self.sources)
        sourced = self.sourced = set(self.sources)
        open_ops = []
        for op in self.forward:
            grad = gradient_of(op)
            if grad is None:
                continue
            results = [n for n in _results(op, grad) if n not in self.stopped]
            read = [n for t in grad.targets for n in op.inputs.get(t) or ()]
            if not sourced.isdisjoint(read):
                sourced.update(results)
                flows.update(results)
            if not flows.isdisjoint(read):
                open_ops.append(op)
            if self.all_results:
                flows.update(n for n in results if to_numpy(self.block.variable(n).dtype).kind == "f")
        needed, active = set(targets), []
        for op in reversed(open_ops):
            grad = gradient_of(op)
            assert grad is not None
            if any(n in needed and n in flows for n in _results(op, grad)):
                needed.update(n for t in grad.targets for n in op.inputs.get(t) or () if n in flows)
                active.append(op)
        warn_of_gaps(self.forward, self.sources, targets, self.stopped)
        return active[::-1]

    # --- one operator -------------------------------------------------------------------------------------------------

    def _differentiate(self, op: Operator) -> None:
        grad = gradient_of(op)
        assert grad is not None
        arrived = {
            o: [self._finished(n) if passes(op, n) else None for n in op.outputs.get(o) or ()] for o in grad.incoming
        }
        if all(g is None for gradients in arrived.values() for g in gradients):
            return
        incoming = (
            {}
            if isinstance(grad, ControlGrad)
            else {
                o: [
                    g if g is not None else self._zeros(n)
                    for g, n in zip(gradients, op.outputs.get(o) or (), strict=True)
                ]
                for o, gradients in arrived.items()
            }
        )
        self._overwritten(op, differentiated=True)
        if isinstance(grad, ControlGrad):
            grad.rule(self, op, {o: dict(zip(op.outputs.get(o) or (), g, strict=True)) for o, g in arrived.items()})
        elif grad.compose is not None:
            self._composed(op, grad, incoming)
        elif grad.via is not None:
            self._borrowed(op, grad, incoming)
        else:
            self._own(op, grad, incoming)

    def _overwritten(self, op: Operator, differentiated: bool = False) -> None:
        """Drop the gradients of Variables that an operator overwrites: their former values have other gradients.

        A source keeps its gradient, unless the operator makes the new value out of the former one and is differentiated,
        as a loop is: then the gradient is that of the value before the operator, and gets the name. A branch is no such
        operator: if it does not run, the source keeps its value.
        """
        for name in op.output_arg_names:
            if name in self.carried or name not in self.sources:
                self.done.pop(name, None)
                self.pieces.pop(name, None)
            elif differentiated and name in op.input_arg_names and op.type != "conditional_block":
                gradient = self.done.pop(name, None)
                self.pieces.pop(name, None)
                if gradient is not None and gradient.op is not None and gradient.name == f"{name}@GRAD":
                    gradient.name = self.block.program_name(f"{name}@GRAD@RENAME@block{self.block.idx}@0")

    def _own(self, op: Operator, grad: Grad, incoming: Mapping[str, list[Variable]]) -> None:
        """Append the operator's own gradient operator."""
        assert grad.op is not None
        inputs = {r: names for r in grad.saved if (names := self._saved(op, r))}
        inputs.update({f"{o}@GRAD": [g.name for g in gradients] for o, gradients in incoming.items() if gradients})
        attrs = {k: v for k, v in op.attrs.items() if k not in NOT_COPIED}
        made = Operator(
            self.block, grad.op.type, inputs, {}, {**attrs, "op_role": int(OpRole.Backward)}, op.line, grad.op
        )
        made.forward = op
        slots = {s.name: s for s in op.definition.inputs}
        for given, target in zip(grad.gives, grad.targets, strict=True):
            made.outputs[given] = []
            for n in op.inputs.get(target) or ():  # in order, since the same Variable may occur twice
                piece = self._piece(made, n) if n in self.flows else EMPTY
                if slots[target].many or piece != EMPTY:
                    made.outputs[given] = [*made.outputs[given], piece]
            if op.attrs.get("is_sparse") and target in ("W", "Weight"):
                for name in made.outputs[given]:
                    self.block.variable(name).type = VarType.SELECTED_ROWS
        self.block.place(made)

    def _borrowed(self, op: Operator, grad: Grad, incoming: Mapping[str, list[Variable]]) -> None:
        """Append another operator that computes the gradient, once for each input that needs one."""
        assert grad.via is not None
        definition = definitions.get(grad.via) or registry.get(grad.via)
        if not (definition.traits.arrays or definition.type in definitions):
            _require_tensors(op, incoming)
        inputs = {}
        for slot, read in zip(definition.inputs, grad.reads, strict=False):
            names = (
                self._saved(op, read) if read in grad.saved else [g.name for g in incoming[read.removesuffix("@GRAD")]]
            )
            if names:
                inputs[slot.name] = names
        attrs = {**(grad.attrs(op.live_attrs()) if grad.attrs else {}), "op_role": int(OpRole.Backward)}
        for target in grad.targets:
            for name in op.inputs.get(target) or ():
                if name not in self.flows:
                    continue
                copied = {slot: list(names) for slot, names in inputs.items()}
                made = Operator(self.block, definition.type, copied, {}, dict(attrs), op.line, definition)
                made.forward = op
                made.outputs[definition.outputs[0].name] = [self._piece(made, name)]
                self.block.place(made)

    def _composed(self, op: Operator, grad: Grad, incoming: Mapping[str, list[Variable]]) -> None:
        """Append the operators that the declaration's `compose` calls to compute the gradient."""
        assert grad.compose is not None
        many = {s.name for s in (*op.definition.inputs, *op.definition.outputs) if s.many}
        arguments: list[Any] = []
        for read in grad.reads:
            if read in grad.saved:
                values = [self.block.variable(n) for n in self._saved(op, read)]
            else:
                values = incoming[read.removesuffix("@GRAD")]
            plain = read.removesuffix("@GRAD") if read not in grad.saved else read
            arguments.append(values if plain in many else values[0] if values else None)
        results = grad.compose(*arguments, **op.live_attrs())
        for target, result in zip(grad.targets, results if len(grad.gives) > 1 else (results,), strict=True):
            of_target = result if target in many else [result]
            for name, gradient in zip(op.inputs.get(target) or (), of_target, strict=False):
                if gradient is not None and name in self.flows:
                    variable = self.block.declare_var(name=self._new_name(name))
                    self._liken(variable, name)
                    variable.take(gradient)
                    assert variable.op is not None
                    self.pieces.setdefault(name, []).append(PartialGradient(variable.op, variable.name))

    def _saved(self, op: Operator, slot: str) -> list[str]:
        """Return the names that a gradient operator reads of a slot of the forward operator."""
        names = op.inputs.get(slot) or op.outputs.get(slot) or []
        return [self.read_as.get(n, n) for n in names]

    def flowing(self, names: Iterable[str]) -> set[str]:
        """Return those of the names by which an operator with blocks is differentiated."""
        named = set(names)
        return named & self.sourced or named & self.flows

    # --- sums of partial gradients ----------------------------------------------------------------------------------------

    def _new_name(self, name: str) -> str:
        """Return the name of a further partial gradient of a Variable."""
        count = len(self.pieces.get(name, ()))
        if count == 0:
            return self.block.program_name(f"{name}@GRAD")
        if count == 1:  # the first partial gradient is renamed, since its name is now that of the sum
            op, old = self.pieces[name][0]
            new = self.block.program_name(f"{name}@GRAD@RENAME@block{self.block.idx}@0")
            variable = self.block.vars.pop(old)
            variable._name = new
            self.block.vars[new] = variable
            op._rename_output(old, new)
            self.pieces[name][0] = PartialGradient(op, new)
        return self.block.program_name(f"{name}@GRAD@RENAME@block{self.block.idx}@{count}")

    def _piece(self, op: Operator, name: str) -> str:
        """Create a Variable for a further partial gradient of `name`, which `op` will write, and return its name."""
        piece = self._new_name(name)
        variable = self.block.vars[piece] = Variable(self.block, name=piece)
        self._liken(variable, name)
        self.pieces.setdefault(name, []).append(PartialGradient(op, piece))
        return piece

    def _finished(self, name: str) -> Variable | None:
        """Return the sum of a Variable's partial gradients; None if there are none."""
        pieces = self.pieces.pop(name, None)
        if pieces is None:
            return self.done.get(name)
        names = [p.name for p in pieces]
        if name in self.done:  # a target that another target depends on
            names.insert(0, self.done[name].name)
        if len(names) == 1:
            gradient = self.block.variable(names[0])
        else:
            gradient = self.block.declare_var(name=self.block.program_name(f"{name}@GRAD"))
            self._liken(gradient, name)
            self.block.append_op("sum", {"X": names}, {"Out": gradient})
            gradient.op.line = pieces[0].op.line  # type: ignore[union-attr]
            if all(self.block.variable(n).type == VarType.SELECTED_ROWS for n in names):
                gradient.type = VarType.SELECTED_ROWS
        clip = self.block.variable(name).error_clip
        if clip is not None:
            attrs = {"min": float(clip.min), "max": float(clip.max)}
            self.block.append_op("clip", {"X": gradient}, {"Out": gradient}, attrs)
        self.done[name] = gradient
        return gradient

    def _liken(self, gradient: Variable, name: str) -> None:
        """Give a gradient the shape and dtype of a Variable; that of an array of tensors is one, too."""
        variable = self.block.variable(name)
        gradient.set_meta(variable.meta)
        if variable.type == VarType.LOD_TENSOR_ARRAY:
            gradient.type = variable.type

    def _zeros(self, name: str) -> Variable:
        """Append a gradient of zeros for an output that nothing depends on, and return it."""
        variable = self.block.declare_var(name=self.block.program_name(f"{name}@GRAD"))
        self._liken(variable, name)
        self.block.append_op("fill_zeros_like", {"X": self.read_as.get(name, name)}, {"Out": variable})
        return variable


def _require_tensors(op: Operator, incoming: Mapping[str, list[Variable]]) -> None:
    """Raise GraphError if the gradient of a result is an array of tensors."""
    for slot, gradients in incoming.items():
        if any(g.type == VarType.LOD_TENSOR_ARRAY for g in gradients):
            got, fix = ", ".join(op.output(slot)), "Read its elements, array_read(array, i), and compute with these."
            needs = f"a tensor: as in PaddlePaddle 1.8.5, {op.type} of arrays has no gradient"
            raise at_line(
                GraphError(message(op.type, f"Output({slot})", f"{got}, an array of tensors", needs, fix)), op.line
            )


def _results(op: Operator, grad: Grad) -> list[str]:
    """Return the results of an operator through which gradients pass to its inputs."""
    return [n for o in grad.incoming for n in op.outputs.get(o) or () if n != EMPTY and passes(op, n)]


def gradient_of(op: Operator) -> Grad | None:
    """Return the gradient rule of an operator; None for one without gradient."""
    definition = op.declared
    if definition is None:
        raise GraphError(f"{op.type}: this version has no such operator, so it has no gradient of it")
    return definition.grad
