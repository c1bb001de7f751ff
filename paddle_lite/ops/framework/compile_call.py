"""Generate the imperative call of an operator as a small Python function.

The function unwraps the arrays, runs the kernel, wraps the result, and puts an entry on the tape if an input needs a
gradient. It contains only the steps that the operator needs, so a call costs little more than its kernel. The source
is kept for tracebacks.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from keyword import iskeyword
from typing import Any, NamedTuple

import numpy as np

from ...core.generated import define
from ...core.mode import now
from . import validation
from .compile_backward import backward_attrs, compile_backward, targets_of
from .dispatch import ArraySpec, converted, explain, kernel_of, tuple_source, validate
from .spec import CallSite, OpDef, Slot, single
from .validation import ValidCalls, call_key, is_validated

SMALL = 256  # the largest number of elements for which the tape keeps an array itself instead of its shape and dtype


class EagerRuntime(NamedTuple):
    """What compiled calls use of imperative mode.

    variable, node, port: the classes of Variables, tape entries, and outputs of tape entries with several.
    next_order: returns the number of a call, which orders the tape entries.
    to_gpu: returns the array of a Variable on the current GPU.
    run_composed: computes the gradients of a tape entry whose gradient is composed of operators.
    """

    variable: Any
    node: Any
    port: Any
    next_order: Callable[[], int]
    to_gpu: Callable[[Any], Any]
    run_composed: Callable[[OpDef, Any], list]


def compile_eager(op: OpDef, device: str, runtime: EagerRuntime) -> Callable:
    """Compile the imperative call of `op` on a device; on the CPU it delegates to the mode's `redirect` if that is set."""
    return define(f"{op.type} on {device}", _entry(op), _source(op, device), _scope(op, device, runtime))


def compile_operator(op: OpDef, other: Callable, kinds: tuple[type, type], runtime: EagerRuntime) -> Callable:
    """Compile Python's operator for a binary `op`; all but plain Variables are delegated to `other(X, Y)`.

    Arguments:
        other: handles numbers, arrays, other dtypes and every mode but the plain imperative one.
        kinds: the two classes of Y that the compiled function handles itself.
    """
    scope = {**_scope(op, "cpu", runtime), "other": other, "Kind0": kinds[0], "Kind1": kinds[1]}
    lines = [
        "def operator(X, Y):",
        "    kind = Y.__class__",
        "    _here = _now()",
        "    if (kind is not Kind0 and kind is not Kind1) or _here.entered.redirect is not None:",
        "        return other(X, Y)",
        "    a_X = X.array",
        "    a_Y = Y.array",
        "    if (_dtype := a_X.dtype) is not a_Y.dtype or _dtype is BOOL:",
        "        return other(X, Y)",
        "    try:",
        f"        r = {_ufunc_call(op)}",
        *_needs_gradient(op),
        "    except Exception as error:",
        "        raise explain(op, (X, Y), {'axis': -1}, error)",
        *_single(op, "no_axis"),
    ]
    return define(f"operator {op.type}", "operator", "\n".join(lines) + "\n", scope)


def _ufunc_call(op: OpDef) -> str:
    """Return the expression of a binary operator's fast path: Python's operator, which is cheaper than its ufunc."""
    symbol = {np.add: "+", np.subtract: "-", np.multiply: "*"}.get(op.ufunc)  # type: ignore[call-overload]
    return f"a_X {symbol} a_Y" if symbol else "ufunc(a_X, a_Y)"


def _scope(op: OpDef, device: str, runtime: EagerRuntime) -> dict[str, Any]:
    """Return the globals of a generated call."""
    variable = runtime.variable
    scope: dict[str, Any] = {
        "_now": now, "op": op, "explain": partial(explain, variable=variable), "validate": partial(validate, variable=variable),
        "kernel": kernel_of(op, device), "next_order": runtime.next_order, "Variable": variable, "Node": runtime.node,
        "new": object.__new__, "ArraySpec": ArraySpec, "to_gpu": runtime.to_gpu, "ufunc": op.ufunc, "device": device,
        "listed": partial(wrap_list, variable, runtime.port), "Port": runtime.port, "BOOL": np.dtype(bool), "CallSite": CallSite, "__name__": __name__,
        "_FLOAT64": np.dtype(np.float64), "_single": single, "converted": converted,
        "valid_calls": ValidCalls(), **validation.SCOPE,
        "backward": compile_backward(op, device, runtime.run_composed) if op.grad else None, "lod_rule": op.lod,
    }  # fmt: skip
    for name in op.live:
        scope[f"default_{name}"] = op.fixed_defaults[name]
    if op.ufunc is not None:
        scope["no_axis"] = {"axis": -1}
    return scope


def _signature(op: OpDef) -> str:
    parts, optional = [], False
    for slot in op.inputs:
        optional = optional or slot.optional
        parts.append(f"{_id(slot)}=None" if optional else _id(slot))
    attrs = [f"{a}=default_{a}" for a in op.live]
    if op.wants_need:
        attrs.append("need=None")
    return ", ".join(parts + (["*", *attrs] if attrs else []))


def _entry(op: OpDef) -> str:
    """Return the name of the generated function: the type, unless it is a keyword or an attribute, as `scale` of scale is."""
    return f"{op.type}_" if iskeyword(op.type) or op.type in op.live else op.type


def _id(slot: Slot) -> str:
    return slot.name.replace("@", "_")


def _lods_needed(op: OpDef) -> str:
    """Return the LoD that kernels get: of one input, or a tuple for several; a list for an input that is a list."""
    slots = {s.name: s for s in op.inputs}
    each = []
    for name in (op.needs_lod or "").split():
        one = f"[v.levels for v in {name}]" if slots[name].many else f"{name}.levels"
        each.append(f"(None if {name} is None else {one})" if slots[name].optional else one)
    return each[0] if len(each) == 1 else tuple_source(each)


def _names(op: OpDef) -> str:
    """Return the source of a list of the names of all inputs."""
    each = []
    for slot in op.inputs:
        one = f"[v.name for v in {_id(slot)}]" if slot.many else f"[{_id(slot)}.name]"
        each.append(f"*([] if {_id(slot)} is None else {one})" if slot.optional else f"*{one}")
    return f"[{', '.join(each)}]"


def _array(slot: Slot, device: str) -> str:
    name, get = _id(slot), "{}.array" if device == "cpu" else "to_gpu({})"
    if slot.many:
        text = f"[{get.format('v')} for v in {name}]"
    else:
        text = get.format(name)
    return f"a_{name} = " + (f"None if {name} is None else {text}" if slot.optional else text)


def _source(op: OpDef, device: str) -> str:
    slots = tuple_source([_id(s) for s in op.inputs])
    attrs = "{" + ", ".join(f"{a!r}: {a}" for a in op.live) + "}"
    lines = [f"def {_entry(op)}({_signature(op)}):"]
    if device == "cpu":
        extra = attrs if not op.wants_need else attrs[:-1] + (", " if op.live else "") + "'need': need}"
        lines += ["    _here = _now()", "    if _here.entered.redirect is not None:"]
        lines += [f"        return _here.entered.redirect(op, {slots}, {extra})"]
    elif op.grad is not None:
        lines += ["    _here = _now()"]
    lines += ["    try:"]
    lines += [f"        {_array(s, device)}" for s in op.inputs]
    arguments = [f"a_{_id(s)}" for s in op.inputs] + [f"{a}={a}" for a in op.live]
    if op.wants_need:
        arguments.append("need=need")
    if op.needs_lod:
        arguments.append(f"lod={_lods_needed(op)}")
    if op.wants_site:
        arguments.append(f"site=CallSite({_names(op)})")
    run = f"kernel({', '.join(arguments)})"
    if _settles(op, device):
        required = ", ".join(f"a_{_id(s)}" for s in op.inputs if not s.optional)
        run = f"run({required}) if run else {run}"
    if op.ufunc is not None and device == "cpu":
        lines += [
            "        if (_dtype := a_X.dtype) is not a_Y.dtype or _dtype is BOOL:",
            f"            validate(op, {slots}, {attrs})",
            "        if axis != -1 and axis.__class__ is int and 0 <= axis == a_X.ndim - a_Y.ndim:",
            "            axis = -1  # which means the same",
            "        if axis == -1:",
            f"            r = {_ufunc_call(op)}",
            "        else:",
            *(f"    {line}" for line in _validated_once(op, device, slots, attrs)),
            f"            r = {run}",
        ]
    else:
        lines += _validated_once(op, device, slots, attrs)
        lines += _rounded(op)
        lines += [f"        {'r, made' if op.lod == 'made' else 'r'} = {run}"]
    lines += _needs_gradient(op)
    lines += ["    except Exception as error:"]
    if op.live:
        given = [_id(s) for s in op.inputs] + ["**other"] + ["need=need"] * op.wants_need
        lines += [f"        other = converted(op, {attrs})", "        if other is not None:"]
        lines += [f"            return {_entry(op)}({', '.join(given)})"]
    lines += [f"        raise explain(op, {slots}, {attrs}, error)"]
    single = len(op.outputs) == 1 and not op.outputs[0].many
    return "\n".join(lines + (_single(op) if single else _several(op))) + "\n"


def _settles(op: OpDef, device: str) -> bool:
    return op.settled is not None and device == "cpu" and is_validated(op)


def _validated_once(op: OpDef, device: str, slots: str, attrs: str) -> list[str]:
    """Return the lines that validate a call unless a call with the same key was valid (see validation.py)."""
    if not is_validated(op):
        return []
    arrays = [f"a_{_id(s)}" for s in op.inputs]
    lines = [f"        kind = {call_key(op, [_id(s) for s in op.inputs], arrays)}"]
    if not _settles(op, device):
        return [
            *lines,
            "        if kind not in valid_calls:",
            f"            validate(op, {slots}, {attrs})",
            "            valid_calls.remember(kind)",
        ]
    settled = f"op.settled({', '.join([*arrays, *(f'{a}={a}' for a in op.live)])})"
    return [
        *lines,
        "        run = valid_calls.get(kind)",
        "        if run is None:",
        f"            validate(op, {slots}, {attrs})",
        f"            run = valid_calls.remember(kind, {settled} or False)",
    ]


def _rounded(op: OpDef) -> list[str]:
    """Return the lines that round float attributes to float32, which only matters beside arrays of float64."""
    if not op.singles:
        return []
    each = [f"{a} = _single({a})" for a in op.singles]
    wide = [
        f"(a_{_id(s)} and a_{_id(s)}[0].dtype is _FLOAT64)" if s.many else f"a_{_id(s)}.dtype is _FLOAT64"
        for s in op.inputs
        if not s.optional
    ]
    if not wide:
        return [f"        {line}" for line in each]
    return [f"        if {' or '.join(wide)}:", *(f"            {line}" for line in each)]


def _single(op: OpDef, attributes: str | None = None) -> list[str]:
    """Return the lines that make the result of an operator with one.

    Arguments:
        attributes: the expression of the attributes that the tape entry keeps, where the call has no arguments for them.
    """
    lines = ["    out = new(Variable)", "    out.array = r"]
    if callable(op.lod):
        lines += [f"    out.levels = ({_lod_call(op, '(r,)')})[0]"]
    else:
        lines += [f"    out.levels = {_first_lod(op)}"]
    if op.grad is None:
        return [*lines, "    out.stopped = True", "    out.node = None", "    return out"]
    return [
        *lines,
        "    if needed:",
        "        out.stopped = False",
        *_node(op, attributes),
        "        out.node = node",
        "    else:",
        "        out.stopped = True",
        "        out.node = None",
        "    return out",
    ]


def _several(op: OpDef) -> list[str]:
    """Return the lines that make the results of an operator with several outputs, or with a list of them."""
    numbers = range(len(op.outputs))
    arrays = [f"_r{k}" for k in numbers]
    if not arrays:
        return ["    return ()"]
    lines = [f"    {arrays[0]} = r" if len(arrays) == 1 else f"    {', '.join(arrays)} = r"]
    if callable(op.lod) or op.lod == "made":
        lods = [f"_lod{k}" for k in numbers]
        given = _lod_call(op, "(r,)" if len(arrays) == 1 else "r") if callable(op.lod) else "made"
        lines += [f"    {', '.join(lods)}, = {given}"]
    else:
        lods = ["_lod"] * len(arrays)
        lines += [f"    _lod = {_first_lod(op)}"]
    flowing = () if op.grad is None else op.grad.incoming
    if op.grad is not None:
        lines += ["    if needed:", *_node(op), *_metas(op), "    else:", "        node = None"]
    place = 0
    for k, slot in enumerate(op.outputs):
        flows = slot.name in flowing
        lines += _result(k, slot, lods[k], flows, None if op.one_flows else place)
        place += flows
    made = [f"_o{k}" for k in numbers]
    return [*lines, f"    return {', '.join(made)}"]


def _metas(op: OpDef) -> list[str]:
    """Return the line that keeps shapes and dtypes of the outputs with gradients, unless there is one such output."""
    assert op.grad is not None
    if op.one_flows:
        return []
    each = [
        f"*[ArraySpec(v) for v in _r{k} or () if v is not None]"
        if s.many
        else f"None if _r{k} is None else ArraySpec(_r{k})"
        for k, s in enumerate(op.outputs)
        if s.name in op.grad.incoming
    ]
    return [f"        node.metas = {tuple_source(each)}"]


def _result(k: int, slot: Slot, lod: str, flows: bool, place: int | None) -> list[str]:
    """Return the lines that make result `k` from its array.

    Arguments:
        lod: the expression of its LoD.
        flows: whether it has a gradient.
        place: its place among the outputs with gradients; None if the tape entry stands for this output alone.
    """
    if slot.many:
        return [
            f"    _o{k} = None if _r{k} is None else listed(_r{k}, {lod}, {'node' if flows else None}, {place or 0})"
        ]
    lines = [f"    if _r{k} is None:", f"        _o{k} = None", "    else:", f"        _o{k} = new(Variable)"]
    lines += [f"        _o{k}.array = _r{k}", f"        _o{k}.levels = {lod}"]
    if not flows:
        return [*lines, f"        _o{k}.stopped = True", f"        _o{k}.node = None"]
    lines += [f"        _o{k}.stopped = node is None"]
    return [*lines, f"        _o{k}.node = {'node' if place is None else f'node and Port(node, {place})'}"]


def wrap_list(variable: Any, port: Any, arrays: list, lod: Any, node: Any, first: int) -> list:
    """Return the Variables of an output that is a list.

    Arguments:
        lod: the LoD of each, or a list with one for each.
        node: the tape entry; None if there are no gradients.
        first: the place of the first array among the outputs with gradients.
    """
    wrapped: list[Any] = []
    stopped = node is None
    for array, levels in zip(arrays, lod if isinstance(lod, list) else [lod] * len(arrays), strict=True):
        if array is None:
            wrapped.append(None)
            continue
        out = object.__new__(variable)
        out.array, out.levels, out.stopped = array, levels, stopped
        if stopped:
            out.node = None
        else:
            out.node = port(node, first)
            first += 1
        wrapped.append(out)
    return wrapped


def _first_lod(op: OpDef) -> str:
    if op.lod == "made":
        return "made"
    slot = next((s for s in op.inputs if s.name == op.lod), None)
    if slot is None:
        return "None"
    name = _id(slot)
    one = f"{name}[0].levels" if slot.many else f"{name}.levels"
    return f"None if {name} is None else {one}" if slot.optional else one


def _lod_call(op: OpDef, outs: str) -> str:
    """Return the expression of the LoDs that a function of the declaration makes; it makes none where it gets none."""
    lods, given = [], []
    for s in op.inputs:
        one = f"[v.levels for v in {_id(s)}]" if s.many else f"{_id(s)}.levels"
        lods.append(f"(None if {_id(s)} is None else {one})" if s.optional else one)
        given.append(f"{_id(s)} is not None" if s.optional else f"any({one})" if s.many else f"{one} is not None")
    arrays = tuple_source([f"a_{_id(s)}" for s in op.inputs])
    attrs = "{" + ", ".join(f"{a!r}: {a}" for a in op.live) + "}"
    call = f"lod_rule({tuple_source(lods)}, {arrays}, {outs}, {attrs})"
    if op.outside or op.needs_lod:
        return call
    return f"{call} if {' or '.join(given)} else {tuple_source(['None'] * len(op.outputs))}"


def _needs_gradient(op: OpDef) -> list[str]:
    """Return the lines that determine whether the results need a gradient; they raise if an input is not a Variable."""
    if op.grad is None:
        return []
    lines = []
    for s in targets_of(op):
        one = f"all([v.stopped for v in {_id(s)}])" if s.many else f"{_id(s)}.stopped"
        lines.append(f"        s_{_id(s)} = {f'{_id(s)} is None or ' if s.optional else ''}{one}")
    stopped = " and ".join(f"s_{_id(s)}" for s in targets_of(op))
    return [*lines, f"        needed = not ({stopped}) and _here.grad_enabled"]


def _edge(s: Slot) -> str:
    name = _id(s)
    if s.many:
        each = f"*[None if v.stopped else v.node or v for v in {name}]"
        return f"*(() if {name} is None else ({each},))" if s.optional else each
    return f"None if s_{name} else {name}.node or {name}"


def _node(op: OpDef, attributes: str | None = None) -> list[str]:
    """Return the lines that create the tape entry, indented for the body of an `if`."""
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
                one = f"ArraySpec({{0}}) if {{0}}.size > {SMALL} else {{0}}"  # keeping a small array is cheaper
                like = f"[{one.format('v')} for v in {array}]" if inputs[read].many else f"({one.format(array)})"
                value = f"(None if {array} is None else {like})" if inputs[read].optional else like
        else:
            value = array = "r" if single else f"_r{names.index(read)}"
        saved.append(value)
        plain.append(array)
    attrs = [f"{a!r}: {a}" for a in backward_attrs(op)]
    if op.needs_lod:
        attrs.append(f"'lod': {_lods_needed(op)}")
    kept, keys = tuple_source(saved), "{" + ", ".join(attrs) + "}"
    if op.ufunc is not None:  # the hot path: one test of the size, and no dict for the default axis
        kept = kept if saved == plain else f"{tuple_source(plain)} if r.size <= {SMALL} else {kept}"
        keys = f"no_axis if axis == -1 else {keys}"
    return [
        "        node = new(Node)",
        "        node.run = backward",
        f"        node.edges = {tuple_source([_edge(s) for s in targets_of(op)])}",
        f"        node.saved = {kept}",
        *([f"        node.attrs = {attributes or keys}"] if attrs or grad.attrs else []),
        "        node.order = next_order()",
        "        node.grads = None",
    ]
