"""What is checked of every operator, each as a function of its row that raises AssertionError.

test_ops.py runs them over all rows; test_runner.py runs them over operators with planted faults.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from paddle_lite.core.errors import EnforceNotMet
from paddle_lite.core.lod import offsets
from paddle_lite.imperative.variable import Variable
from paddle_lite.ops.framework.dispatch import kernel_of
from paddle_lite.ops.framework.spec import OpDef, file_name
from tests.ops import stand_in
from tests.ops.case import Case, dense, device, flat, slot_of
from tests.ops.recorded_numbers import Recorded, recorded
from tests.ops.row import Bad, Row

OWN = {"float16": (2e-3, 1e-3), "float32": (1e-5, 1e-6), "float64": (1e-10, 1e-12)}  # between our own computations
KERNELS = {"layer_norm": (2e-5, 2e-6)}
"""Operators of which a float32 kernel may be farther from the reference.

What is left of the gradient of rows with two elements is rounding: in float64 the kernel is six times nearer to the truth than the reference.
"""


def equal(
    what: str,
    got: Mapping[str, Any],
    want: Mapping[str, Any],
    tolerance: tuple[float, float] | None = None,
    numbers: bool = True,
) -> None:
    """Raise unless the arrays agree: exactly in dtype and shape, in value within `tolerance` (rtol, atol)."""
    if set(got) != set(want):
        raise AssertionError(f"{what}: got {sorted(got)}, needs {sorted(want)}")
    for name, value in got.items():
        array, other = dense(value), dense(want[name])
        if not isinstance(array, (np.ndarray, np.generic)):
            raise AssertionError(f"{what}: {name} is a {type(array).__name__}, needs an array")
        if array.dtype != other.dtype:
            raise AssertionError(f"{what}: {name} has dtype {array.dtype}, needs {other.dtype}")
        if array.shape != other.shape:
            raise AssertionError(f"{what}: {name} has shape {array.shape}, needs {other.shape}")
        if numbers and not np.array_equal(array, other):
            exact = array.dtype.kind != "f"
            rtol, atol = (0, 0) if exact else tolerance or OWN[array.dtype.name]
            np.testing.assert_allclose(array, other, rtol, atol, err_msg=f"{what}: {name}")


def each(op: OpDef, row: Row, check: Callable[[Case], Any], *, wide: bool | None = False) -> list:
    """The results of `check` for every sample; a failure says which one it came from.

    Arguments:
        wide: False for the samples as they are; True in float64, those with a float32 input; None for both.
    """
    results = []
    for index, sample in enumerate(row.samples):
        widths = [w for w in (False, True) if wide in (w, None)]
        for width in widths:
            if width and (row.packed or not any(a.dtype == np.float32 for a in sample.arrays())):
                continue
            case = Case(op, row, index, wide=width)
            try:
                results.append(check(case))
            except Exception as error:
                raise AssertionError(f"{case}: {error}") from error
    return results


# --- against real Paddle, or the formula of a row -----------------------------------------------------------------------


def references_equal_paddle(op: OpDef, row: Row) -> None:
    """The reference gives Paddle's outputs and, through the declared gradient, Paddle's gradients; or what the row's formula gives."""
    with device("gpu"):
        each(op, row, _equals_paddle)


def calls_equal_paddle(op: OpDef, row: Row) -> None:
    """The imperative call on the CPU does so too, LoD included."""
    with device("cpu"):
        each(op, row, _equals_paddle)


def _equals_formula(case: Case) -> None:
    """Raise unless outputs are what the formula of the row gives; central differences tell of the gradients."""
    if case.sample.excluded:
        raise AssertionError("`excluded` is not needed: Paddle has no such operator")
    outputs = arrays_of(case.call(case.variables([])))
    optional = {s.name for s in case.op.outputs if s.optional or s.intermediate}
    result = case.row.own(*case.inputs, **case.attrs)
    wanted = flat(case.op.outputs, result if isinstance(result, tuple) else (result,))
    named = {n for n in wanted if n in outputs or slot_of(n) not in optional}
    found = {n: a for n, a in outputs.items() if n in named or slot_of(n) not in optional}
    equal("outputs against the formula", found, {n: wanted[n] for n in named}, case.row.tolerance, case.repeatable)


def _equals_paddle(case: Case) -> None:
    if case.row.own is not None:
        return _equals_formula(case)
    known = recorded(case.op.family, case.op.type, case.index, case.sample)
    if not case.sample.excluded:
        if known.refused:
            raise AssertionError(f"Paddle refuses it ({known.refused}): mend it, or say why with `excluded`")
        compare_with(case, known)
    elif known.out:
        try:
            compare_with(case, known)
        except AssertionError:
            return
        raise AssertionError(f"`excluded` is not needed: Paddle gives the same numbers ({case.sample.excluded})")


def compare_with(case: Case, known: Recorded) -> None:
    """Raise unless outputs, their LoD and the gradients are those that were recorded."""
    row, sample = case.row, case.sample
    variables = case.variables([])
    outputs = case.call(variables)
    optional = {s.name for s in case.op.outputs if s.optional or s.intermediate}
    names = [n for n in known.out if sample.outputs is None or slot_of(n) in sample.outputs]
    names = [n for n in names if n in outputs or slot_of(n) not in optional]
    if not names:
        raise AssertionError("no output is compared: record again, or say why with `excluded`")
    missing = [n for n in outputs if n not in known.out and slot_of(n) not in optional]
    if missing and sample.outputs is None:
        raise AssertionError(f"{', '.join(missing)} is not recorded")
    equal(
        "outputs against Paddle's",
        {n: outputs[n].array for n in names if n in outputs},
        {n: known.out[n] for n in names},
        row.tolerance,
        case.repeatable,
    )
    for name in names:
        if offsets(outputs[name].levels) != known.lods[name]:
            raise AssertionError(f"LoD of {name} is {offsets(outputs[name].levels)}, Paddle's {known.lods[name]}")
    wanted = case.wanted()
    gives = () if case.op.grad is None else case.op.grad.targets
    lacking = sorted({slot_of(n) for n in known.din} - set(gives))
    if lacking and not row.no_grad_reason and sample.grads is None:
        raise AssertionError(f"Paddle gives a gradient of {', '.join(lacking)}, the declaration does not")
    wanted = [n for n in wanted if n in known.din]
    if wanted and case.repeatable:
        found = case.differentiate(known.dout, wanted)
        equal("gradients against Paddle's", found, {n: known.din[n] for n in wanted}, row.tolerance)


def references_use_xp(op: OpDef, row: Row) -> None:
    """References compute with the array module that they are given, so that they run on a GPU and without a compiler."""
    references = [op.reference]
    if op.grad is not None and op.grad.op is not None:
        references.append(op.grad.op.reference)
    uses = sorted({use for reference in references for use in stand_in.numpy_uses(reference)})
    if uses:
        raise AssertionError(f"{op.type}: a reference must use its `xp` instead of {', '.join(uses)}")
    kernels = sorted({use for reference in references for use in stand_in.compiled_uses(reference)})
    if kernels:
        raise AssertionError(f"{op.type}: a reference runs where nothing is compiled, but calls {', '.join(kernels)}")


# --- our own computations against each other ------------------------------------------------------------------------------


def has_kernel(op: OpDef) -> bool:
    """Whether something else than the reference runs on the CPU."""
    return getattr(kernel_of(op, "cpu"), "func", None) is not op.reference


def kernels_equal_references(op: OpDef, row: Row) -> None:
    """The CPU kernels of the operator and its gradient give what the references give."""
    each(op, row, _kernel_equals_reference, wide=None)


def _kernel_equals_reference(case: Case) -> None:
    outputs = case.reference()
    double = case.wide or any(dense(a).dtype == np.float64 for a in outputs.values() if a is not None)
    determined = None if double else KERNELS.get(case.op.type)
    if has_kernel(case.op):
        equal("kernel against reference", case.kernel(), outputs, determined, case.repeatable)
    both = case.gradient_kernels(outputs, case.seeds(outputs))
    if both is not None:
        by_reference, by_kernel = ({n: dense(a) for n, a in side.items()} for side in both)
        equal("gradient kernel against its reference", by_kernel, by_reference, determined, case.repeatable)


def calls_equal_references(op: OpDef, row: Row) -> None:
    """The imperative call gives what the reference gives, and asks for gradients exactly where one is declared."""
    with device("cpu"):
        each(op, row, _call_equals_reference, wide=None)


def _call_equals_reference(case: Case) -> None:
    wanted = case.wanted()
    outputs = case.call(case.variables(wanted))
    equal("call against reference", arrays_of(outputs), case.reference(), None, case.repeatable)
    incoming = () if case.op.grad is None else case.op.grad.incoming
    for name, variable in outputs.items():
        if variable.stopped != (not wanted or slot_of(name) not in incoming):
            raise AssertionError(f"stop_gradient of {name} is {variable.stopped}")
    if any(not v.stopped for v in case.call(case.variables([])).values()):
        raise AssertionError("an output asks for a gradient though no input does")


def arrays_of(variables: Mapping[str, Any]) -> dict[str, Any]:
    return {name: v.array for name, v in variables.items()}


def strided(name: str, array: np.ndarray) -> np.ndarray:
    """The same values in memory that is not contiguous: every second element of a larger array."""
    if array.ndim == 0:
        return array
    wider = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
    wider[..., ::2] = array
    return wider[..., ::2]


def transposed(name: str, array: np.ndarray) -> np.ndarray:
    """The same values in memory of the opposite order, as a transpose leaves them."""
    if array.ndim == 0:
        return array
    return np.ascontiguousarray(array.T).T


def strides_do_not_matter(op: OpDef, row: Row) -> None:
    """Inputs that are strided or transposed views, and gradients that are, give the same results."""
    with device("cpu"):
        each(op, row, _strides_do_not_matter)


def _strides_do_not_matter(case: Case) -> None:
    outputs, wanted = arrays_of(case.call(case.variables([]))), case.wanted()
    seeds = case.seeds(outputs)
    gradients = case.differentiate(seeds, wanted)
    for change in (strided, transposed):
        other = case.with_inputs(change)
        moved = arrays_of(other.call(other.variables([])))
        equal(f"outputs for {change.__name__} inputs", moved, outputs, None, case.repeatable)
        found = other.differentiate({n: change(n, s) for n, s in seeds.items()}, wanted)
        equal(f"gradients for {change.__name__} inputs", found, gradients, None, case.repeatable)


def memory_is_kept_apart(op: OpDef, row: Row) -> None:
    """No call and no gradient changes its inputs; no output shares memory with one, where the row does not say `view`."""
    with device("cpu"):
        shared = each(op, row, _memory_is_kept_apart, wide=None)
    if row.view and not any(shared):
        raise AssertionError(f"{op.type}: `view` is not needed, no output shares memory with an input")


def _memory_is_kept_apart(case: Case) -> bool:
    """Whether an output shares memory with an input."""
    case = case.with_inputs(lambda name, array: array.copy())
    given = case.named_inputs()
    before = {n: a.copy() for n, a in given.items()}
    made = {"kernel": arrays_of(case.call(case.variables(case.wanted()))), "reference": case.reference()}
    equal("inputs after the call", given, before, (0, 0))
    seeds = case.seeds(made["reference"])
    kept = {n: s.copy() for n, s in seeds.items()}
    case.differentiate(seeds, case.wanted())
    equal("inputs after the gradient", given, before, (0, 0))
    equal("output gradients after the gradient", seeds, kept, (0, 0))
    shared = [
        f"{name} of the {who} shares memory with Input({slot})"
        for who, outputs in made.items()
        for name, output in outputs.items()
        for slot, array in given.items()
        if np.shares_memory(dense(output), array)
    ]
    if shared and not case.row.view:
        raise AssertionError(f"{shared[0]}: copy it, or let the row say view=True if the operator only rearranges")
    return bool(shared)


# --- errors -------------------------------------------------------------------------------------------------------------


def bad_calls_raise(op: OpDef, row: Row) -> None:
    """Every declared bad call raises the error that the row names, with the operator's type in the text."""
    from paddle_lite.core import errors

    with device("cpu"):
        for number, bad in enumerate(row.errors):
            where = f"{op.type} bad call {number}"
            expected = getattr(errors, bad.error)
            error = bad_call(op, bad, lambda name, array, lod: Variable(array, lod=lod))
            if isinstance(error, expected):
                _text_names(where, str(error), op.type, bad.match)
            elif error is None:
                raise AssertionError(f"{where}: raised nothing, needs {bad.error}")
            else:
                raise AssertionError(f"{where}: raised {type(error).__name__} ({error}), needs {bad.error}") from error


def bad_call(op: OpDef, bad: Bad, variable: Callable[[str, np.ndarray, Any], Any]) -> Exception | None:
    """Make a bad call and return the error that it raises, if any.

    Arguments:
        variable: makes the Variable of an array with a LoD, for an input of this flat name.
    """

    def given(name: str, value: Any, lod: Any) -> Any:
        if isinstance(value, (list, tuple)) and all(isinstance(v, np.ndarray) for v in value):
            each = zip(value, lod or [None] * len(value), strict=True)
            return [given(f"{name}.{i}", v, one) for i, (v, one) in enumerate(each)]
        return (
            variable(name, value, tuple(map(tuple, lod)) if lod else None) if isinstance(value, np.ndarray) else value
        )

    python = {file_name(n): n for n in op.live}
    try:
        op(
            *[given(s.name, bad.inputs.get(s.name), bad.lods.get(s.name)) for s in op.inputs],
            **{python.get(n, n): v for n, v in bad.attrs.items()},
        )
    except Exception as error:
        return error
    return None


def _text_names(where: str, text: str, *needed: str) -> None:
    for part in needed:
        if part not in text:
            raise AssertionError(f"{where}: the text {text!r} lacks {part!r}")


def wrong_kinds_raise(op: OpDef, row: Row) -> None:
    """An ndarray where a Variable belongs, nothing where something belongs, and unknown attributes are told apart."""
    case = Case(op, row, 0)
    with device("cpu"):
        variables = case.variables([])
        for position, slot in enumerate(op.inputs):
            if variables[position] is None:
                continue
            for value in (case.inputs[position], *(() if slot.optional else (None,))):
                arguments = [value if i == position else v for i, v in enumerate(variables)]
                _raises(
                    f"{op.type}: Input({slot.name}) = {type(value).__name__}",
                    f"Input({slot.name})",
                    op,
                    arguments,
                    case.attrs,
                )
        _raises(f"{op.type}: unknown attribute", "no_such_attribute", op, variables, {"no_such_attribute": 1})


def _raises(where: str, part: str, op: OpDef, arguments: list, attrs: dict) -> None:
    try:
        op(*arguments, **attrs)
    except EnforceNotMet as error:
        _text_names(where, str(error), op.type, part)
    except Exception as error:
        raise AssertionError(f"{where}: raised {type(error).__name__} ({error}), needs an EnforceNotMet") from error
    else:
        raise AssertionError(f"{where}: raised nothing")
