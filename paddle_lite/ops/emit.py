"""The one call site: what happens when an operator is called.

`compiled_call(op)` writes a small Python function for the operator, so that an imperative call costs little more than
its kernel: check the mode, unwrap the arrays, run the kernel, wrap the result, and put an entry on the tape if an input
needs a gradient. The source of each function is kept for tracebacks.

The classes of Variables and tape entries belong to imperative mode, a higher layer, which installs them in `engine`.
"""

from __future__ import annotations

import itertools
import linecache
from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.errors import ArgumentTypeError, EnforceNotMet, describe, message
from ..core.lod import level_of
from ..core.mode import state
from ..kernels.registry import find_kernel
from .spec import Grad, Meta, OpDef, Slot

SMALL = 256


class Engine:
    """What imperative mode installs: the classes that compiled calls make, and how composed gradients run."""

    Variable: Any = None
    Node: Any = None
    Port: Any = None
    run_composed: Callable | None = None
    move: Any = None  # a Variable's array on the current GPU
    make_parameter: Any = None  # (shape, dtype, name, ParamAttr, Initializer) -> Parameter


engine = Engine()
tick = itertools.count().__next__


class Like:
    """Shape and dtype of an array that a gradient needs no more of."""

    __slots__ = ("dtype", "shape")

    def __init__(self, array: Any) -> None:
        self.shape = array.shape
        self.dtype = array.dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))


def kernel_of(op: OpDef, device: str) -> Callable:
    """The kernel that runs `op` on a device: the registered one, or the reference on the device's array module."""
    kernel = op.kernels.get(device)
    if kernel is None:
        kernel = op.make_kernel(device) if op.make_kernel is not None else None
        if kernel is None:
            kernel = find_kernel(op.type, op.family, device, op.reference)
        op.kernels[device] = kernel
    return kernel


def compiled_call(op: OpDef) -> Callable:
    """The function that a call of `op` runs, made at its first use."""
    if engine.Variable is None:  # a recorder can serve the call before imperative mode is ever loaded
        import importlib

        importlib.import_module("paddle_lite.imperative")
    op.call = compile_eager(op, "cpu")
    return op.call


def on_gpu(op: OpDef) -> Callable:
    """The compiled imperative call on the GPU."""
    call = op.kernels.get("gpu call")
    if call is None:
        call = op.kernels["gpu call"] = compile_eager(op, "gpu")
    return call


def meta_of(value: Any) -> Meta:
    """What inference needs to know of a Variable (or of anything with an array)."""
    array = value.array
    return Meta(tuple(array.shape), array.dtype, level_of(value.levels))


def metas_of(inputs: tuple) -> list:
    return [
        None if v is None else [meta_of(x) for x in v] if isinstance(v, (list, tuple)) else meta_of(v) for v in inputs
    ]


def validate(op: OpDef, inputs: tuple, attrs: dict[str, Any]) -> None:
    """Raise a clear error if the call is wrong: kinds of inputs, kinds of attributes, then what `infer` says."""
    variable = engine.Variable
    for slot, value in zip(op.inputs, inputs, strict=True):
        if value is None and slot.optional:
            continue
        if slot.many and isinstance(value, (list, tuple)):
            if not value and not slot.optional:
                raise ArgumentTypeError(
                    message(op.type, f"Input({slot.name})", "an empty list", "at least one Variable")
                )
            bad = next((v for v in value if not isinstance(v, variable)), None)
        else:
            bad = value if slot.many or not isinstance(value, variable) else None
            if value is None:
                raise ArgumentTypeError(message(op.type, f"Input({slot.name})", "None", "a Variable"))
        if bad is not None:
            needs = "a list of Variables" if slot.many else "a Variable"
            raise ArgumentTypeError(
                message(op.type, f"Input({slot.name})", describe(bad), needs, "Convert it with to_variable().")
            )
    op.check_attrs(attrs)
    if op.infer is not None:
        op.infer(*metas_of(inputs), **attrs)


def explain(op: OpDef, inputs: tuple, attrs: dict[str, Any], error: Exception) -> Exception:
    """The error to show for a call that failed: the first thing wrong with it that we can name."""
    try:
        validate(op, inputs, attrs)
    except EnforceNotMet as better:
        better.__suppress_context__ = True
        return better
    if isinstance(error, EnforceNotMet):
        error.__suppress_context__ = True
        return error
    shown = ", ".join(f"{s.name}={_show(v)}" for s, v in zip(op.inputs, inputs, strict=True) if v is not None)
    failure = EnforceNotMet(f"{op.type}: {type(error).__name__}: {error}. Called with {shown}; {attrs}.")
    failure.__cause__ = error
    return failure


def _show(value: Any) -> str:
    return "[" + ", ".join(describe(v) for v in value) + "]" if isinstance(value, (list, tuple)) else describe(value)


# --- writing the functions -------------------------------------------------------------------------------------------


def compile_eager(op: OpDef, device: str) -> Callable:
    """Write and compile the imperative call of `op` on a device; on the CPU it is also the entry of every other mode."""
    return _compile(f"{op.type} on {device}", op.type, _source(op, device), _scope(op, device))


def compile_operator(op: OpDef, other: Callable, kinds: tuple[type, type]) -> Callable:
    """Write and compile Python's operator for a binary `op`: plain Variables at once, by `other(X, Y)` all else.

    Arguments:
        other: what handles numbers, arrays, other dtypes and every mode but the plain imperative one.
        kinds: the two classes of Y that are not `other`'s.
    """
    scope = {**_scope(op, "cpu"), "other": other, "Kind0": kinds[0], "Kind1": kinds[1]}
    lines = [
        "def operator(X, Y):",
        "    kind = Y.__class__",
        "    if (kind is not Kind0 and kind is not Kind1) or state.recorder is not None:",
        "        return other(X, Y)",
        "    a_X = X.array",
        "    a_Y = Y.array",
        "    if a_X.dtype is not a_Y.dtype or a_X.dtype is BOOL:",
        "        return other(X, Y)",
        "    axis = -1",
        "    try:",
        f"        r = {_ufunc_call(op)}",
        "    except Exception as error:",
        "        raise explain(op, (X, Y), {'axis': -1}, error)",
        *_single(op),
    ]
    return _compile(f"operator {op.type}", "operator", "\n".join(lines) + "\n", scope)


def _ufunc_call(op: OpDef) -> str:
    """The fast path of a binary operator; Python's own operator costs less than the ufunc it stands for."""
    symbol = {np.add: "+", np.subtract: "-", np.multiply: "*"}.get(op.ufunc)  # type: ignore[call-overload]
    return f"a_X {symbol} a_Y" if symbol else "ufunc(a_X, a_Y)"


def _scope(op: OpDef, device: str) -> dict[str, Any]:
    """What the source of a call refers to."""
    scope: dict[str, Any] = {
        "state": state, "op": op, "explain": explain, "validate": validate, "kernel": kernel_of(op, device), "tick": tick,
        "Variable": engine.Variable, "Node": engine.Node, "Port": engine.Port, "new": object.__new__, "Like": Like,
        "move": engine.move, "ufunc": op.ufunc, "device": device, "outputs": wrap_outputs, "BOOL": np.dtype(bool),
        "__name__": __name__,
        "backward": compile_backward(op, device) if op.grad else None, "lod_rule": op.lod,
    }  # fmt: skip
    for name in op.live:
        scope[f"default_{name}"] = _frozen(op.defaults()[name])
    if op.ufunc is not None:
        scope["no_axis"] = {"axis": -1}
    return scope


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _compile(title: str, name: str, source: str, scope: dict[str, Any]) -> Callable:
    filename = f"<paddle_lite {title}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    exec(compile(source, filename, "exec"), scope)
    return scope[name]


def _tuple(items: list[str]) -> str:
    return "(" + "".join(f"{item}, " for item in items) + ")"


def _signature(op: OpDef) -> str:
    parts, optional = [], False
    for slot in op.inputs:
        optional = optional or slot.optional
        parts.append(f"{_id(slot)}=None" if optional else _id(slot))
    attrs = [f"{a}=default_{a}" for a in op.live]
    if op.wants_need:
        attrs.append("need=None")
    return ", ".join(parts + (["*", *attrs] if attrs else []))


def _id(slot: Slot) -> str:
    return slot.name.replace("@", "_")


def _array(slot: Slot, device: str) -> str:
    name, get = _id(slot), "{}.array" if device == "cpu" else "move({})"
    if slot.many:
        text = f"[{get.format('v')} for v in {name}]"
    else:
        text = get.format(name)
    return f"a_{name} = " + (f"None if {name} is None else {text}" if slot.optional else text)


def _source(op: OpDef, device: str) -> str:
    slots = _tuple([_id(s) for s in op.inputs])
    attrs = "{" + ", ".join(f"{a!r}: {a}" for a in op.live) + "}"
    lines = [f"def {op.type}({_signature(op)}):"]
    if device == "cpu":
        extra = attrs if not op.wants_need else attrs[:-1] + (", " if op.live else "") + "'need': need}"
        lines += ["    if state.recorder is not None:", f"        return state.recorder.record(op, {slots}, {extra})"]
    lines += ["    try:"]
    if op.checked:
        lines += [f"        validate(op, {slots}, {attrs})"]
    lines += [f"        {_array(s, device)}" for s in op.inputs]
    if op.floats_only:
        first = f"a_{_id(op.inputs[0])}"
        lines += [f"        if {first}.dtype.kind != 'f':", f"            validate(op, {slots}, {attrs})"]
    arguments = [f"a_{_id(s)}" for s in op.inputs] + [f"{a}={a}" for a in op.live]
    if op.wants_need:
        arguments.append("need=need")
    if op.needs_lod:
        arguments.append(f"lod={op.needs_lod}.levels")
    run = f"kernel({', '.join(arguments)})"
    if op.ufunc is not None and device == "cpu":
        lines += [
            "        if a_X.dtype is not a_Y.dtype or a_X.dtype is BOOL:",
            f"            validate(op, {slots}, {attrs})",
            f"        r = {_ufunc_call(op)} if axis == -1 else {run}",
        ]
    else:
        lines += [f"        r = {run}"]
    lines += ["    except Exception as error:", f"        raise explain(op, {slots}, {attrs}, error)"]
    single = len(op.outputs) == 1 and not op.outputs[0].many
    return "\n".join(lines + (_single(op) if single else _several(op))) + "\n"


def _single(op: OpDef) -> list[str]:
    lines = ["    out = new(Variable)", "    out.array = r"]
    if callable(op.lod):
        lines += [f"    out.levels = {_lod_call(op, '(r,)')}[0]"]
    else:
        lines += [f"    out.levels = {_first_lod(op)}"]
    if op.grad is None:
        return [*lines, "    out.stopped = True", "    out.node = None", "    return out"]
    return [
        *lines,
        f"    if {_needs_gradient(op)}:",
        "        out.stopped = False",
        *_node(op),
        "        out.node = n",
        "    else:",
        "        out.stopped = True",
        "        out.node = None",
        "    return out",
    ]


def _several(op: OpDef) -> list[str]:
    lines = [f"    lods = {_lod_call(op, 'r') if callable(op.lod) else f'({_first_lod(op)},) * {len(op.outputs)}'}"]
    if len(op.outputs) == 1:
        lines = ["    r = (r,)", *lines]
    if op.grad is None:
        lines += ["    n = None"]
    else:
        lines += [f"    if {_needs_gradient(op)}:", *_node(op), "    else:", "        n = None"]
    incoming = () if op.grad is None else op.grad.incoming
    flags = _tuple([str(s.name in incoming) for s in op.outputs])
    return [
        *lines,
        f"    o = outputs(r, lods, n, {flags})",
        "    return o[0]" if len(op.outputs) == 1 else "    return o",
    ]


def wrap_outputs(arrays: tuple, lods: tuple, node: Any, differentiable: tuple[bool, ...]) -> tuple:
    """The Variables of an operator with several outputs; those with gradients get a port on the tape entry."""
    variable, port = engine.Variable, engine.Port
    metas: list[Like | None] = []
    wrapped: list[Any] = []

    def wrap(array: Any, lod: Any, flows: bool) -> Any:
        if array is None:
            return None
        out = object.__new__(variable)
        out.array, out.levels = array, lod
        out.stopped = node is None or not flows
        out.node = None if out.stopped else port(node, len(metas))
        if flows and node is not None:
            metas.append(Like(array))
        return out

    for value, lod, flows in zip(arrays, lods, differentiable, strict=True):
        if isinstance(value, list):
            per = lod if isinstance(lod, list) else [lod] * len(value)
            wrapped.append([wrap(a, one, flows) for a, one in zip(value, per, strict=True)])
        else:
            wrapped.append(wrap(value, lod, flows))
            if value is None and flows and node is not None:
                metas.append(None)
    if node is not None:
        node.metas = tuple(metas)
    return tuple(wrapped)


def _first_lod(op: OpDef) -> str:
    slot = next((s for s in op.inputs if s.name == op.lod), None)
    if slot is None:
        return "None"
    name = _id(slot)
    one = f"{name}[0].levels" if slot.many else f"{name}.levels"
    return f"None if {name} is None else {one}" if slot.optional else one


def _lod_call(op: OpDef, outs: str) -> str:
    lods = []
    for s in op.inputs:
        one = f"[v.levels for v in {_id(s)}]" if s.many else f"{_id(s)}.levels"
        lods.append(f"(None if {_id(s)} is None else {one})" if s.optional else one)
    arrays = _tuple([f"a_{_id(s)}" for s in op.inputs])
    attrs = "{" + ", ".join(f"{a!r}: {a}" for a in op.live) + "}"
    return f"lod_rule({_tuple(lods)}, {arrays}, {outs}, {attrs})"


def _targets(op: OpDef) -> list[Slot]:
    assert op.grad is not None
    by_name = {s.name: s for s in op.inputs}
    return [by_name[t] for t in op.grad.targets]


def _needs_gradient(op: OpDef) -> str:
    stopped = []
    for s in _targets(op):
        one = f"all([v.stopped for v in {_id(s)}])" if s.many else f"{_id(s)}.stopped"
        stopped.append(f"({_id(s)} is None or {one})" if s.optional else one)
    return f"state.grad_enabled and not ({' and '.join(stopped)})"


def _edge(s: Slot) -> str:
    name = _id(s)
    if s.many:
        each = f"*[None if v.stopped else v.node or v for v in {name}]"
        return f"*(() if {name} is None else ({each},))" if s.optional else each
    stopped = f"{name} is None or {name}.stopped" if s.optional else f"{name}.stopped"
    return f"None if {stopped} else {name}.node or {name}"


def _node(op: OpDef) -> list[str]:
    """The lines that make the tape entry, inside of an `if`."""
    grad = op.grad
    assert grad is not None
    inputs = {s.name: s for s in op.inputs}
    names = [s.name for s in op.outputs]
    single = len(op.outputs) == 1 and not op.outputs[0].many
    saved, plain = [], []
    for read in grad.saved:
        if read in inputs:
            value = array = f"a_{_id(inputs[read])}"
            if read in grad.shape_only:
                one = f"Like({{0}}) if {{0}}.size > {SMALL} else {{0}}"  # a small array costs less to keep than to describe
                like = f"[{one.format('v')} for v in {array}]" if inputs[read].many else f"({one.format(array)})"
                value = f"(None if {array} is None else {like})" if inputs[read].optional else like
        else:
            value = array = "r" if single else f"r[{names.index(read)}]"
        saved.append(value)
        plain.append(array)
    attrs = [f"{a!r}: {a}" for a in _backward_attrs(op)]
    if op.needs_lod:
        attrs.append(f"'lod': {op.needs_lod}.levels")
    kept, keys = _tuple(saved), "{" + ", ".join(attrs) + "}"
    if op.ufunc is not None:  # the hot path: one test of the size, and no dict for the axis that nearly every call has
        kept = kept if saved == plain else f"{_tuple(plain)} if r.size <= {SMALL} else {kept}"
        keys = f"no_axis if axis == -1 else {keys}"
    return [
        "        n = new(Node)",
        "        n.run = backward",
        f"        n.edges = {_tuple([_edge(s) for s in _targets(op)])}",
        f"        n.saved = {kept}",
        *([f"        n.attrs = {keys}"] if attrs or grad.attrs else []),
        "        n.order = tick()",
        "        n.grads = None",
    ]


def _backward_attrs(op: OpDef) -> tuple[str, ...]:
    """The attributes of a call that its gradient needs."""
    grad = op.grad
    assert grad is not None
    return op.live if grad.op is None else tuple(a for a in grad.op.live if a in op.live)


# --- backward ----------------------------------------------------------------------------------------------------------


def compile_backward(op: OpDef, device: str) -> Callable:
    """Write and compile `backward(node)`: the gradients of one tape entry, in the order of its edges."""
    grad = op.grad
    assert grad is not None
    if grad.compose is not None:
        return _backward_by_calls(op)
    runs = _gradient_op(op)
    single = len(op.outputs) == 1 and not op.outputs[0].many
    slots = {s.name: s for s in (*op.inputs, *op.outputs)}
    lines = ["def backward(node):"]
    if single:
        incoming = ["node.grads[0]"]
    else:
        lines += ["    g = filled(node, xp)"]
        incoming, position = [], 0
        for name in grad.incoming:
            if slots[name].many:
                incoming.append(f"g[{position}:]")  # a list output stands last among those with gradients
            else:
                incoming.append(f"g[{position}]")
                position += 1
    if grad.via is None:
        count = len(grad.saved)
        arguments = [*(f"s[{i}]" for i in range(count)), *incoming]
        lines += ["    s = node.saved"] if count else []
    else:
        arguments = _in_order(grad, incoming, runs)
    targets = _targets(op)
    many = any(s.many for s in targets)
    if runs.wants_need:
        if many:
            arguments.append("need=need_of(node, targets)")
        else:
            names = ", ".join(f"e{i}" for i in range(len(targets)))
            lines += [f"    {names}, = node.edges"]
            arguments.append("need=" + _tuple([f"e{i} is not None" for i in range(len(targets))]))
    if grad.via is not None:
        arguments.append("**attrs_of(node.attrs)" if grad.attrs else "**defaults")
    else:
        keys = [*_backward_attrs(op), *(["lod"] if runs.needs_lod else [])]
        lines += ["    a = node.attrs"] if keys else []
        arguments += [f"{key}=a[{key!r}]" for key in keys]
    call = f"kernel({', '.join(arguments)})"
    if many and grad.via is not None:
        lines += [f"    return ({call},) * len(node.edges)"]
    elif many:
        lines += [f"    r = {call}", "    return flat(r, targets)"]
    else:
        lines += [f"    return ({call},)" if len(targets) == 1 else f"    return {call}"]
    scope: dict[str, Any] = {
        "kernel": kernel_of(runs, device), "filled": _filled, "flat": _flat, "targets": targets, "need_of": _need_of,
        "xp": array_module(device), "__name__": __name__,
        "defaults": runs.defaults(), "attrs_of": lambda attrs: {**runs.defaults(), **grad.attrs(attrs)},
    }  # fmt: skip
    function = _compile(f"{op.type} backward on {device}", "backward", "\n".join(lines) + "\n", scope)
    function.op = op  # type: ignore[attr-defined]
    return function


def _in_order(grad: Grad, incoming: list[str], runs: OpDef) -> list[str]:
    """The arguments of a borrowed operator: what is read, in the order of its inputs."""
    saved = {name: f"node.saved[{i}]" for i, name in enumerate(grad.saved)}
    arrived = iter(incoming)
    arguments = [saved[r] if r in saved else next(arrived) for r in grad.reads]
    return arguments + ["None"] * (len(runs.inputs) - len(arguments))


def _gradient_op(op: OpDef) -> OpDef:
    """The operator that computes the gradient of `op`: its own, or the one it borrows."""
    from .registry import get

    assert op.grad is not None
    return op.grad.op if op.grad.op is not None else get(op.grad.via)  # type: ignore[arg-type]


def array_module(device: str) -> Any:
    """NumPy, or the GPU's array module."""
    from ..kernels.registry import array_module as of

    return of(device)


def _filled(node: Any, xp: Any) -> list:
    """The gradients of a tape entry's outputs, zeros where none arrived."""
    return [
        xp.zeros(m.shape, m.dtype) if g is None and m is not None else g
        for g, m in zip(node.grads, node.metas, strict=True)
    ]


def _need_of(node: Any, targets: list[Slot]) -> tuple:
    """Which gradients are wanted, a tuple for a list slot (which stands last or alone)."""
    wanted = [e is not None for e in node.edges]
    need: list[Any] = []
    for slot in targets:
        need.append(tuple(wanted[len(need) :]) if slot.many else wanted[len(need)])
    return tuple(need)


def _flat(result: Any, targets: list[Slot]) -> list:
    results = (result,) if len(targets) == 1 else result
    flat: list[Any] = []
    for value, slot in zip(results, targets, strict=True):
        if slot.many:
            flat.extend(value)
        else:
            flat.append(value)
    return flat


def _backward_by_calls(op: OpDef) -> Callable:
    """The backward function of an operator whose gradient is made by calling other operators."""

    def backward(node: Any) -> Any:
        assert engine.run_composed is not None
        return engine.run_composed(op, node)

    backward.op = op  # type: ignore[attr-defined]
    return backward
