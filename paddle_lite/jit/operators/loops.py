"""`while` and `for`. A loop whose condition is a Variable becomes a while operator; any other is unrolled while building."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...core.errors import ArgumentValueError, DtypeError, ShapeError
from ...core.mode import state as mode
from ...ops.math import arithmetic as ops_math
from ...ops.shape import fill
from ...static.program import nested_blocks
from ...static.program import program as programs
from ...static.program.python_number import as_number
from .branches import if_
from .growing import to_array, to_stack
from .logic import and_, not_
from .places import DICTS, copied, is_container, refilled
from .ranges import Items, items_of
from .sizes import truth
from .values import (
    NotReturned,
    Number,
    Stack,
    Undefined,
    blank,
    checked,
    condition,
    constant,
    equal,
    here,
    is_array,
    is_variable,
    told,
)

Get = Callable[[], tuple]
Put = Callable[[tuple], None]


class Loop:
    """One loop, and the variables that its body changes.

    Arguments:
        get, put: read and write these variables; names: their names.
        wanted: the names that are live at the start of an iteration or after the loop.
        after: the names that are live after the loop.
        grown: the lists that the body appends to; shrunk: those of them that the function pops from, too.
    """

    def __init__(
        self,
        get: Get,
        put: Put,
        names: Sequence[str],
        wanted: Sequence[str],
        after: Sequence[str],
        grown: Sequence[str],
        shrunk: Sequence[str],
    ) -> None:
        self.get, self.put, self.names = get, put, names
        self.wanted, self.after, self.grown, self.shrunk = wanted, after, grown, shrunk
        self.line = here()

    # --- in Python ------------------------------------------------------------------------------------------------------

    def in_python(self, test: Callable[[], Any], body: Callable[[], Any]) -> None:
        """Run iterations while the test is a Python value; build the rest of the loop once it is a Variable."""
        while True:
            again = truth(test())
            if is_variable(again):
                self.in_program(test, body)
                return
            if not again:
                return
            body()

    # --- in the Program -------------------------------------------------------------------------------------------------

    def in_program(self, test: Callable[[], Any], body: Callable[[], Any]) -> None:
        """Build a while operator."""
        before = self.get()
        state = [self._first(name, value) for name, value in zip(self.names, before, strict=True)]
        for _ in range(4):
            changed = self._build(test, body, state, before)
            if not changed:
                return
        raise ArgumentValueError(f"declarative: the shapes of the loop's variables do not settle.\n  at {self.line}")

    def _first(self, name: str, value: Any) -> Any:
        """Return the value of a variable before the first iteration."""
        if name in self.grown and type(value) is list:
            return to_stack(value) if name in self.shrunk else to_array(value)
        return value

    def _build(self, test: Callable[[], Any], body: Callable[[], Any], state: list[Any], before: tuple) -> bool:
        """Build the loop from a state; return whether the state was changed, so that the loop must be built again."""
        entry = [self._carried(name, value) for name, value in zip(self.names, state, strict=True)]
        given = [copied(value) for value in entry]  # a round may set the items of lists and dicts
        self.put(tuple(given))
        again = ops_math.assign.call(self._tested(test))
        with nested_blocks.nested_block() as block:
            body()
            results = list(self.get())
            held = [is_container(old) and old is new for old, new in zip(given, results, strict=True)]
            changed = False
            for i, name in enumerate(self.names):
                if name in self.wanted:
                    results[i], different = self._after_round(name, state, i, entry[i], results[i], before[i])
                    changed |= different
            if not changed:
                self._hand_on(entry, results)
                self.put(
                    tuple(e if n in self.wanted else r for n, e, r in zip(self.names, entry, results, strict=True))
                )
                block.append_op(ops_math.assign.type, {"X": self._tested(test)}, {"Out": again})
        if changed:  # what was built was only to see what comes out of a round
            del block.program.blocks[block.idx :]
            self.put(before)
            return True
        nested_blocks.append_while(again, block)
        ends = [self._last(n, e, r) for n, e, r in zip(self.names, entry, results, strict=True)]
        self.put(tuple(refilled(old, new) if h else new for h, old, new in zip(held, before, ends, strict=True)))
        return False

    def _tested(self, test: Callable[[], Any]) -> Any:
        value = truth(test())
        value = condition(value) if is_variable(value) else constant(bool(value))
        if any(n not in (1, -1) for n in value.shape):
            raise ShapeError(
                f"while: the condition got shape {list(value.shape)}, needs one element. Reduce it: reduce_all(x).\n  at {self.line}"
            )
        return value

    def _carried(self, name: str, value: Any) -> Any:
        """Return a new Variable for a number or Variable that the loop changes; other values stay as they are."""
        if name not in self.wanted or is_array(value) or isinstance(value, Undefined):
            return value
        if is_variable(value) or isinstance(value, Number) or hasattr(value, "stop_gradient"):
            made = ops_math.assign.call(constant(value))
            made.stop_gradient = made.meta.dtype.kind != "f" or not mode.grad_enabled
            if is_variable(value):
                made.set_meta(value.meta)
            return as_number(made) if isinstance(value, Number) or getattr(value, "python_number", False) else made
        if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
            return type(value)(self._carried(name, item) for item in value)
        if type(value) in DICTS:
            return type(value)((key, self._carried(name, item)) for key, item in value.items())
        if isinstance(value, Stack):
            return Stack(value.array, self._carried(name, value.length))
        return value

    def _after_round(self, name: str, state: list[Any], i: int, old: Any, new: Any, given: Any) -> tuple[Any, bool]:
        """Return a variable's value after an iteration, and whether its initial value in `state` was changed to fit."""
        if isinstance(old, Undefined) and not isinstance(new, Undefined):
            if isinstance(old, NotReturned):
                with _outside():
                    state[i] = blank(new)
                return new, True
            raise ArgumentValueError(
                f"declarative: {told(name)} gets its first value inside of a loop that runs until a Variable says so; it must be "
                f"set before the loop.\n  at {self.line}"
            )
        if isinstance(old, Undefined):
            return new, False
        if isinstance(old, Stack) and isinstance(new, Stack) and old.array is new.array:
            length = [state[i].length]
            fitted, changed = self._after_round(name, length, 0, old.length, new.length, state[i].length)
            state[i] = Stack(old.array, length[0])
            return Stack(old.array, fitted), changed
        if is_array(old) or old is new:
            if old is not new:
                raise self._misfit(name, "an array of what was appended", type(new).__name__)
            return new, False
        if is_variable(old):
            if isinstance(new, Undefined):
                raise new.error()
            if not is_variable(new) and not isinstance(new, Number) and not hasattr(new, "stop_gradient"):
                raise self._misfit(name, "a Variable", type(new).__name__)
            fitted, first = self._fitted(name, old, self._as_variable(new, old, given), given)
            if first is not None:
                state[i] = first
            return fitted, first is not None
        return self._nested(name, state, i, old, new, given)

    @staticmethod
    def _as_variable(new: Any, old: Any, given: Any) -> Any:
        """Return the result of an iteration as a Variable. A number takes the variable's dtype, unless an int becomes a float."""
        if not isinstance(new, Number):
            return constant(new)
        fraction = isinstance(new, float) and old.dtype not in ("float32", "float64") and isinstance(given, int)
        return constant(new, None if fraction else old.dtype)

    def _nested(self, name: str, state: list[Any], i: int, old: Any, new: Any, given: Any) -> tuple[Any, bool]:
        """Handle lists, tuples and dicts element by element; any other value must not change."""
        keyed = isinstance(old, dict)
        if type(old) is not type(new) or not isinstance(old, (list, tuple, dict)) or len(old) != len(new):
            if not isinstance(old, (list, tuple, dict)) and equal(old, new):
                return new, False
            raise self._misfit(name, _form(old), _form(new))
        if isinstance(old, dict) and old.keys() != new.keys():
            raise self._misfit(name, f"the keys {list(old)}", f"the keys {list(new)}")
        keys = list(old) if keyed else range(len(old))
        first = dict.fromkeys(keys) if isinstance(given, Undefined) else given
        firsts = {key: state[i][key] for key in keys}
        made, changed = {}, False
        for key in keys:
            holder = [firsts[key]]
            made[key], different = self._after_round(f"{name}[{key!r}]", holder, 0, old[key], new[key], first[key])
            firsts[key] = holder[0]
            changed |= different
        state[i] = firsts if keyed else type(old)(firsts.values())
        return (made if keyed else type(old)(made.values())), changed

    def _fitted(self, name: str, old: Any, new: Any, given: Any) -> tuple[Any, Any]:
        """Return a Variable after an iteration, and another initial value where the given one does not fit (else None)."""
        if old.dtype != new.dtype:
            if isinstance(given, Number) and not isinstance(given, float):
                with _outside():
                    return new, constant(given, new.dtype)
            raise DtypeError(
                f"declarative: {told(name)} has dtype {old.dtype} before a loop and {new.dtype} after a round. Convert it with "
                f"cast() before or in the loop.\n  at {self.line}"
            )
        if len(old.shape) != len(new.shape):
            if isinstance(given, Number) and tuple(old.shape) == (1,) and -1 not in new.shape:
                with _outside():
                    return new, fill.fill_constant.call(shape=list(new.shape), dtype=int(new.dtype), value=float(given))
            raise ShapeError(
                f"declarative: {told(name)} has shape {list(old.shape)} before a loop and {list(new.shape)} after a round. Keep "
                f"its number of dimensions.\n  at {self.line}"
            )
        shape = tuple(a if a == b else -1 for a, b in zip(old.shape, new.shape, strict=True))
        if shape == tuple(old.shape):
            return new, None
        with _outside():
            wider = ops_math.assign.call(constant(given, old.dtype) if isinstance(given, Number) else constant(given))
        wider.set_meta(old.meta._replace(shape=shape))
        return new, wider

    def _misfit(self, name: str, before: str, after: str) -> ArgumentValueError:
        fix = "Keep its form"
        if before.startswith("a list"):
            fix += "; in a loop of the Program a list of the function grows by append() alone"
        return ArgumentValueError(
            f"declarative: {told(name)} is {before} before a loop, and {after} after a round. {fix}.\n  at {self.line}"
        )

    def _hand_on(self, entry: list[Any], results: list[Any]) -> None:
        """Assign the results of an iteration to the Variables that the next one reads."""
        pairs = []
        for name, old, new in zip(self.names, entry, results, strict=True):
            if name in self.wanted:
                pairs += [(a, b) for a, b in zip(_flat(old), _flat(new), strict=True) if a is not b and is_variable(a)]
        olds = {id(a) for a, _ in pairs}
        copied = [(a, ops_math.assign.call(b) if id(b) in olds else constant(b)) for a, b in pairs]
        block = programs.default_main_program().current_block()
        for target, value in copied:
            block.append_op(ops_math.assign.type, {"X": value}, {"Out": target})
            target.stop_gradient = target.stop_gradient and value.stop_gradient

    def _last(self, name: str, entry: Any, result: Any) -> Any:
        """Return the value of a variable after the loop."""
        if name in self.wanted:
            return entry
        return Undefined(
            name,
            f"declarative: {told(name)} is known inside of the loop only; set it before the loop.\n  at {self.line}",
        )


def _form(value: Any) -> str:
    if isinstance(value, (list, tuple, dict)):
        return f"a {type(value).__name__} of {len(value)}"
    return type(value).__name__


def _flat(value: Any) -> list[Any]:
    if isinstance(value, Stack):
        return [value.length]
    if isinstance(value, dict):
        return [leaf for key in value for leaf in _flat(value[key])]
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in _flat(item)]
    return [value]


@contextmanager
def _outside() -> Iterator[None]:
    """Append what is called inside of the `with` to the parent of the current block."""
    program = programs.default_main_program()
    inner, program.current_block_idx = program.current_block_idx, program.current_block().parent_idx
    try:
        yield
    finally:
        program.current_block_idx = inner


def while_(
    test: Callable[[], Any], body: Callable[[], Any], get: Get, put: Put, names: Sequence[str], wanted: Sequence[str],
    after: Sequence[str], grown: Sequence[str], shrunk: Sequence[str],
) -> None:  # fmt: skip
    """Do `while test(): body()`."""
    Loop(get, put, names, wanted, after, grown, shrunk).in_python(test, body)


def for_(
    items: Any, body: Callable[[Any], Any], get: Get, put: Put, names: Sequence[str], wanted: Sequence[str],
    after: Sequence[str], grown: Sequence[str], shrunk: Sequence[str], until: Callable[[], Any] | None,
) -> None:  # fmt: skip
    """Do `for item in items: body(item)`, until until() holds.

    A loop over Python items is unrolled; once `until` is a Variable, each later iteration is an `if` of it.
    """
    found = items_of(checked(items))
    if isinstance(found, Items):
        _over_variables(found, body, Loop(get, put, names, wanted, after, grown, shrunk), until)
        return
    for item in found:
        stopped = until() if until is not None else False
        if is_variable(stopped):
            if_(not_(stopped), functools.partial(body, item), lambda: None, get, put, names, wanted)
            continue
        if stopped:
            return
        body(item)
        if until is not None and until() is True:
            return


def until(items: Any, stop: Callable[[], Any]) -> Iterator[Any]:
    """Yield what `for` takes from items, until stop() holds: a loop whose `break` has become a flag, as long as it is Python's."""
    for item in checked(items):
        yield item
        if stop():
            return


def _over_variables(items: Items, body: Callable[[Any], Any], loop: Loop, until: Callable[[], Any] | None) -> None:
    """Loop over what a Variable determines: its rows, or the numbers up to it."""
    counter: list[Any] = [items.start()]

    def test() -> Any:
        more = items.more(counter[0])
        return more if until is None else and_(not_(until()), lambda: more)

    def one_round() -> None:
        place = counter[0]
        counter[0] = items.next(place)
        body(items.item(place))

    get, put = loop.get, loop.put

    def put_all(values: tuple) -> None:
        counter[0] = values[0]
        put(values[1:])

    counting = "the counter"
    inner = Loop(
        lambda: (counter[0], *get()), put_all, (counting, *loop.names), (counting, *loop.wanted), loop.after,
        loop.grown, loop.shrunk,
    )  # fmt: skip
    inner.in_program(test, one_round)
