"""Loops and branches: `while_loop`, `cond`, `case`, `switch_case`, and Fluid's While and Switch.

In a Program they append operators with sub-blocks, and both branches of a `cond` are built. In imperative mode the
functions run Python loops and branches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ...core.dtype import VarType
from ...core.errors import ArgumentTypeError, ArgumentValueError, IndexRangeError, ShapeError, describe, message
from ...core.mode import require_program, state
from ...core.typing import Variable
from ...ops.math import compare
from ...static.program import nested_blocks
from ..support.arguments import check_name, is_variable

__all__ = ["Switch", "While", "case", "cond", "switch_case", "while_loop"]


def _check_condition(where: str, argument: str, value: Any) -> None:
    """Raise unless a value is a bool Variable of one element."""
    if not is_variable(value):
        raise ArgumentTypeError(message(where, argument, describe(value), "a bool Variable of one element"))
    if value.dtype != "bool":
        fix = "Compare first: less_than(x, y), x < y."
        raise ArgumentTypeError(message(where, argument, f"a Variable of dtype {value.dtype}", "dtype bool", fix))
    sizes = [n for n in value.shape if n != -1]
    if any(n != 1 for n in sizes):
        raise ShapeError(message(where, argument, f"shape {list(value.shape)}", "one element"))


def _need_program(where: str) -> None:
    require_program(f"{where}: builds a block of a Program; in imperative mode write Python's own `while` and `if`.")


# --- loops ------------------------------------------------------------------------------------------------------------


class While:
    """A while loop in a Program: the operators called in `with loop.block():` run repeatedly while `cond` is true.

    The body changes loop Variables by writing into them: `increment(i)`, `assign(x, output=y)`, `less_than(i, n,
    cond=cond)`.

    Arguments:
        cond: a bool Variable of one element; the body must write its next value into it.
        is_test: whether the loop is for inference only.
        name: accepted for Fluid code, ignored.

    Raises:
        ModeError: in imperative mode.
        ArgumentTypeError: `cond` is not a bool Variable.
        ShapeError: `cond` has more than one element.
        ArgumentValueError: at the end of the block, if no operator in it writes `cond`.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     i = fluid.layers.fill_constant([1], 'int64', 0)
    ...     n = fluid.layers.fill_constant([1], 'int64', 10)
    ...     cond = fluid.layers.less_than(i, n)
    ...     loop = fluid.layers.While(cond)
    ...     with loop.block():
    ...         i = fluid.layers.increment(i, value=1, in_place=True)
    ...         fluid.layers.less_than(i, n, cond=cond)
    ...     fluid.Executor(fluid.CPUPlace()).run(fetch_list=[i])
    Variable less_than_0.tmp_0: shape=[1], dtype=bool, stop_gradient
    [array([10])]
    """

    def __init__(self, cond: Any, is_test: bool = False, name: str | None = None) -> None:
        _need_program("While")
        _check_condition("While", "cond", cond)
        self.cond_var = cond
        self.is_test = is_test

    @contextmanager
    def block(self) -> Iterator[None]:
        """Open the body of the loop: operators called inside of the `with` belong to it."""
        with nested_blocks.nested_block(repeats=True) as block:
            yield
        if self.cond_var.name not in nested_blocks.writes_to_outside(block):
            fix = "Write it at the end of the block: less_than(i, n, cond=cond)."
            raise ArgumentValueError(
                message(
                    "While",
                    "the block",
                    f"no operator that writes {self.cond_var.name}",
                    "one, for the loop to end",
                    fix,
                )
            )
        nested_blocks.append_while(self.cond_var, block, self.is_test)


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Sequence[Any],
    is_test: bool = False,
    name: str | None = None,
) -> list[Variable]:
    """Run `body` repeatedly while `cond` returns true.

    Arguments:
        cond: `cond(*loop_vars)` returns a bool Variable of one element.
        body: `body(*loop_vars)` returns the next loop_vars: as many; in a Program of the same structure, shapes and dtypes.
        loop_vars: a list of Variables, or of nested lists, tuples and dicts of them.
        is_test: whether the loop is for inference only.
        name: accepted for Fluid code, ignored.

    Returns:
        The values of loop_vars after the loop.

    Raises:
        ArgumentTypeError: cond or body is not callable, loop_vars is no list or tuple, or cond does not return a bool
            Variable.
        ArgumentValueError: loop_vars is empty, or body returns another number of them; or, in a Program, another
            structure, or a loop variable of another dtype or shape.
        ShapeError: what cond returns has more than one element.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     i = fluid.layers.fill_constant([1], 'int64', 0)
    ...     i, = fluid.layers.while_loop(lambda i: i < 10, lambda i: [i + 3], [i])
    ...     fluid.Executor(fluid.CPUPlace()).run(fetch_list=[i])
    [array([12])]
    """
    for argument, function in (("cond", cond), ("body", body)):
        if not callable(function):
            raise ArgumentTypeError(message("while_loop", argument, describe(function), "a function"))
    if not isinstance(loop_vars, (list, tuple)):
        raise ArgumentTypeError(message("while_loop", "loop_vars", describe(loop_vars), "a list or tuple"))
    if not loop_vars:
        raise ArgumentValueError(message("while_loop", "loop_vars", "an empty list", "at least one Variable"))
    condition = cond(*loop_vars)
    _check_condition("while_loop", "what cond returns", condition)

    def one_round(*values: Any) -> Sequence[Any]:
        returned = body(*values)
        after = returned if isinstance(returned, (list, tuple)) else [returned]
        if len(after) != len(loop_vars):
            got, needs = f"{len(after)} of them", f"{len(loop_vars)}, in the form of loop_vars"
            raise ArgumentValueError(message("while_loop", "what body returns", got, needs))
        return after

    return state.mode.while_loop(condition, cond, one_round, loop_vars, is_test)


# --- branches ---------------------------------------------------------------------------------------------------------


def cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """Return the result of `true_fn()` where `pred` is true, else the result of `false_fn()`.

    In a Program both functions are called once, to build both branches; in each run only one of them is executed.

    Arguments:
        pred: a bool Variable of one element.
        true_fn, false_fn: functions without arguments that return Variables, or nested lists, tuples and dicts of them,
            both of the same structure; or None. Where their dtypes differ, a run gives the dtype of the branch that it
            takes; the declared dtype is the one of `false_fn`.
        name: accepted for Fluid code, ignored.

    Returns:
        The result of the chosen branch: a Variable or a structure of them; None where neither branch returns anything.

    Raises:
        ArgumentTypeError: pred is not a bool Variable, a branch is not callable, it returns something other than
            Variables and numbers, or name is not a string.
        ShapeError: pred has more than one element.
        ArgumentValueError: the branches return different structures.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     x = fluid.data('x', [1], 'float32')
    ...     y = fluid.layers.cond(x > 0, lambda: x * 2, lambda: x - 1)
    ...     exe = fluid.Executor(fluid.CPUPlace())
    ...     [exe.run(feed={'x': np.array([v], 'float32')}, fetch_list=[y])[0][0].item() for v in (3, -3)]
    [6.0, -4.0]
    """
    for argument, function in (("true_fn", true_fn), ("false_fn", false_fn)):
        if function is not None and not callable(function):
            raise ArgumentTypeError(message("cond", argument, describe(function), "a function, or None"))
    _check_condition("cond", "pred", pred)
    check_name("cond", name)
    return state.mode.cond(pred, true_fn, false_fn)


def case(
    pred_fn_pairs: Sequence[tuple[Any, Callable[[], Any]]],
    default: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """Return the result of the first function whose condition is true; else the result of `default()`.

    Arguments:
        pred_fn_pairs: [(bool Variable of one element, function without arguments), ...].
        default: the function where no condition is true; the last one of the pairs where it is None.
        name: accepted for Fluid code, ignored.

    Returns:
        The result of the chosen function: a Variable or a nested structure of them.

    Raises:
        ArgumentTypeError: pred_fn_pairs is not such a list, a condition is not a bool Variable, or `default` is not
            callable.
        IndexRangeError: pred_fn_pairs is empty.
        ShapeError: a condition has more than one element.
        ArgumentValueError: the functions return different structures.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     x = fluid.layers.fill_constant([1], 'float32', 5.0)
    ...     y = fluid.layers.case([(x < 1, lambda: x), (x < 10, lambda: x * 10)], default=lambda: x * 100)
    ...     fluid.Executor(fluid.CPUPlace()).run(fetch_list=[y])
    [array([50.], dtype=float32)]
    """
    needs = "a list of (bool Variable, function) pairs"
    if not isinstance(pred_fn_pairs, (list, tuple)):
        raise ArgumentTypeError(message("case", "pred_fn_pairs", describe(pred_fn_pairs), needs))
    if not pred_fn_pairs:
        raise IndexRangeError(message("case", "pred_fn_pairs", "an empty list", needs))
    for pair in pred_fn_pairs:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2 or not callable(pair[1]):
            raise ArgumentTypeError(message("case", "pred_fn_pairs", describe(pair), "(bool Variable, function) pairs"))
        _check_condition("case", "pred_fn_pairs", pair[0])
    if default is not None and not callable(default):
        raise ArgumentTypeError(message("case", "default", describe(default), "a function, or None"))
    pairs = list(pred_fn_pairs)
    if default is None:
        default = pairs.pop()[1]
    chosen: Callable[[], Any] = default
    for pred, function in reversed(pairs):
        chosen = _either(pred, function, chosen)
    return chosen()


def _either(pred: Any, function: Callable[[], Any], otherwise: Callable[[], Any]) -> Callable[[], Any]:
    """Return a function that runs `cond(pred, function, otherwise)`."""
    return lambda: cond(pred, function, otherwise)


def switch_case(
    branch_index: Any, branch_fns: Any, default: Callable[[], Any] | None = None, name: str | None = None
) -> Any:
    """Return the result of the function whose number is `branch_index`; else the result of `default()`.

    Arguments:
        branch_index: an int32, int64 or uint8 Variable of one element.
        branch_fns: a dict {number: function}, or a list of functions, or of (number, function) pairs.
        default: the function for any other number; the function with the largest number where it is None.
        name: accepted for Fluid code, ignored.

    Returns:
        The result of the chosen function: a Variable or a nested structure of them.

    Raises:
        ArgumentTypeError: branch_index is not an integer Variable, branch_fns has another form, or `default` is not
            callable.
        ArgumentValueError: two functions have the same number, or the functions return different structures.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     one = fluid.layers.fill_constant([1], 'int32', 1)
    ...     y = fluid.layers.switch_case(one, {0: lambda: one, 1: lambda: one + 6}, default=lambda: one)
    ...     fluid.Executor(fluid.CPUPlace()).run(fetch_list=[y])
    [array([7], dtype=int32)]
    """
    if not is_variable(branch_index):
        raise ArgumentTypeError(message("switch_case", "branch_index", describe(branch_index), "an integer Variable"))
    if branch_index.dtype not in (VarType.UINT8, VarType.INT32, VarType.INT64):
        got = f"a Variable of dtype {branch_index.dtype}"
        raise ArgumentTypeError(message("switch_case", "branch_index", got, "dtype uint8, int32 or int64"))
    numbered = _numbered(branch_fns)
    if default is not None and not callable(default):
        raise ArgumentTypeError(message("switch_case", "default", describe(default), "a function, or None"))
    if default is None:
        numbered, default = numbered[:-1], numbered[-1][1]
    return state.mode.switch_case(branch_index, numbered, default)


def _numbered(branch_fns: Any) -> list[tuple[int, Callable[[], Any]]]:
    """Return (number, function) pairs, sorted by number."""
    needs = "a dict {int: function}, a list of functions, or of (int, function) pairs"
    if isinstance(branch_fns, Mapping):
        pairs = list(branch_fns.items())
    elif isinstance(branch_fns, (list, tuple)) and branch_fns:
        pairs = [tuple(b) if isinstance(b, (list, tuple)) else (i, b) for i, b in enumerate(branch_fns)]
    else:
        raise ArgumentTypeError(message("switch_case", "branch_fns", describe(branch_fns), needs))
    seen = set()
    for pair in pairs:
        if len(pair) != 2 or isinstance(pair[0], bool) or not isinstance(pair[0], int) or not callable(pair[1]):
            raise ArgumentTypeError(message("switch_case", "branch_fns", describe(pair), needs))
        if pair[0] in seen:
            raise ArgumentValueError(
                message("switch_case", "branch_fns", f"the number {pair[0]} twice", "each number once")
            )
        seen.add(pair[0])
    return sorted(pairs)


class Switch:
    """A switch in a Program: runs the block of the first case whose condition is true; the blocks write into outer
    Variables.

    Arguments:
        name: accepted for Fluid code, ignored.

    Raises:
        ModeError: in imperative mode.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     step = fluid.layers.fill_constant([1], 'float32', 7.0)
    ...     rate = fluid.layers.fill_constant([1], 'float32', 0.0)
    ...     with fluid.layers.Switch() as switch:
    ...         with switch.case(step < 5):
    ...             _ = fluid.layers.fill_constant([1], 'float32', 0.1, out=rate)
    ...         with switch.default():
    ...             _ = fluid.layers.fill_constant([1], 'float32', 0.01, out=rate)
    ...     fluid.Executor(fluid.CPUPlace()).run(fetch_list=[rate])
    [array([0.01], dtype=float32)]
    """

    def __init__(self, name: str | None = None) -> None:
        _need_program("Switch")
        self._inside = False
        self._none_before: Any = None

    def __enter__(self) -> Switch:
        self._inside = True
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._inside = False

    @contextmanager
    def case(self, condition: Any) -> Iterator[None]:
        """Open a block that runs where `condition` is true and the condition of each earlier case is false."""
        self._need_inside("case")
        _check_condition("Switch.case", "condition", condition)
        if self._none_before is None:
            taken, self._none_before = condition, compare.logical_not.call(condition)
        else:
            taken = compare.logical_and.call(self._none_before, condition)
            self._none_before = compare.logical_and.call(self._none_before, compare.logical_not.call(condition))
        with self._block(taken):
            yield

    @contextmanager
    def default(self) -> Iterator[None]:
        """Open a block that runs where no case was taken."""
        self._need_inside("default")
        if self._none_before is None:
            raise ArgumentValueError(message("Switch.default", "the Switch", "no case", "a case before the default"))
        with self._block(self._none_before):
            yield

    def _need_inside(self, call: str) -> None:
        """Raise unless the call is made inside of `with Switch() as switch:`."""
        if not self._inside:
            raise ArgumentValueError(
                message(
                    f"Switch.{call}",
                    "the call",
                    "made outside of the Switch",
                    "one inside of `with Switch() as switch:`",
                )
            )

    @contextmanager
    def _block(self, condition: Any) -> Iterator[None]:
        """Open a conditional block of the Program."""
        with nested_blocks.nested_block() as block:
            yield
        nested_blocks.append_conditional([condition], block, is_scalar_condition=True)
