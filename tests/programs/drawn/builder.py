"""A drawn Program: a plan of steps, which numbers tell, made to calls that run in any mode.

A step is (kind, numbers, inner steps). While a static Program is built, the function of the kind chooses by these numbers
among the values that there are, so any part of a plan is a plan; the calls that come of it name values by their places.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from paddle_lite import fluid, tensor
from paddle_lite.core.dtype import to_numpy
from paddle_lite.core.errors import DtypeError
from paddle_lite.ops.framework import registry

Step = tuple[str, tuple[int, ...], tuple]
Cancels = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


UNCOMMON = frozenset({"bool", "float16", "int8", "uint8", "int16"})
"""Dtypes that functions of 1.8.5 refuse in Programs, some of them."""


class NoFit(Exception):
    """There are no values that a step could take."""


class Input(NamedTuple):
    """What is fed: the first size is that of `rows` ("batch", "words", "tokens", "") where it is -1.

    high: of whole numbers, what they are below; 0: any. ragged: how many levels of sequences it has.
    """

    shape: tuple[int, ...]
    dtype: str
    rows: str = ""
    high: int = 0
    ragged: int = 0
    parameter: bool = False


class Value(NamedTuple):
    """A value of a Program. rows: what the first size is, if it is -1. high: whole numbers are below it; 0: not known."""

    place: int
    variable: Any
    shape: tuple[int, ...]
    dtype: str
    rows: str
    high: int
    ragged: int

    @property
    def floating(self) -> bool:
        return self.dtype.startswith("float")

    @property
    def rank(self) -> int:
        return len(self.shape)


class Environment:
    """The values of one run. hook: sees each new value, and returns what is used in its place.

    Where there is a hook, each use of a value also has a gradient of its own, which the hook changes (`taken`).
    at_once: in imperative mode, where a block that does not run leaves no gradient (`with_zeros`).
    """

    def __init__(
        self, inputs: dict[str, Any], values: list[Any], hook: Callable[[Any], Any] | None = None, at_once: bool = False
    ) -> None:
        self.inputs = inputs
        self.values = values
        self.hook = hook
        self.at_once = at_once

    def inner(self, more: Sequence[Any] = ()) -> Environment:
        return Environment(self.inputs, [*self.values, *more], self.hook, self.at_once)

    def taken(self, place: int) -> Any:
        """A value, for one use of it: gradients of different uses are rounded one by one before they are added."""
        value = self.values[place]
        return value if self.hook is None else of_one_use(value, self.hook)

    def with_zeros(self, made: Any, places: Iterable[int], inputs: Iterable[str]) -> Any:
        """The result of an operator with blocks, which sends gradients of zeros to what a block that does not run would read.

        So it is in Programs, here as in PaddlePaddle. Further back such a zero becomes NaN where a slope is infinite or NaN.
        places, inputs: of those values, and of those inputs that are made in the block.
        """
        values = [self.values[place] for place in places] + [self.inputs[name] for name in inputs]
        for value in values if self.at_once else ():
            if not value.stop_gradient and value.array.size:
                never, nothing = np.zeros(value.array.shape, bool), np.zeros(value.array.shape, made.array.dtype)
                never, nothing = fluid.dygraph.to_variable(never), fluid.dygraph.to_variable(nothing)
                zero = fluid.layers.reduce_sum(tensor.where(never, fluid.layers.cast(value, made.dtype), nothing))
                made = fluid.layers.elementwise_sub(made, zero)
        return made

    def run(self, calls: Sequence[Call]) -> None:
        for call in calls:
            made = call.run(self)
            self.values += [self.hook(v) if self.hook else v for v in made]


class Call(NamedTuple):
    """A call as it was chosen.

    label: what it is, for people. run: from an Environment to the new values. reads: gives the places of the values that may
    get a gradient from those; of calls with blocks it is known when they have run.
    """

    label: Any
    run: Callable[[Environment], Sequence[Any]]
    reads: Callable[[], Iterable[int]] = tuple


class Choices:
    """Numbers that choose."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self.numbers, self.used = numbers, 0

    def int(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        self.used += 1
        return low + self.numbers[(self.used - 1) % len(self.numbers)] % (high - low + 1)

    def one(self, *choices: Any) -> Any:
        return choices[self.int(0, len(choices) - 1)]

    def flag(self) -> bool:
        return bool(self.int(0, 1))


class Builder:
    """Builds the default Program from steps, and notes the calls."""

    trains = False  # whether parameters are those of the Program, which updates them

    def __init__(self, dtype: str, inputs: dict[str, Input], environment: Environment, values: list[Value]) -> None:
        self.dtype = dtype
        self.inputs = inputs
        self.environment = environment
        self.values = values
        self.calls: list[Call] = []
        self.makers: dict[int, Call] = {}  # place of a value -> the call that makes it
        self.kinds: list[str] = []

    def take(self, steps: Sequence[Step], kinds: dict[str, Any]) -> None:
        """Append the calls of each step that finds values to take."""
        for kind, numbers, inner in steps:
            try:
                kinds[kind](self, Choices(numbers), inner)
            except NoFit:
                continue
            self.kinds.append(kind)

    # --- for the functions of kinds ---------------------------------------------------------------------------------

    def pick(self, choices: Choices, fits: Callable[[Value], bool], recent: int = 12) -> Value:
        """One of the latest values that fit."""
        found = [v for v in self.values if fits(v)][-recent:]
        if not found:
            raise NoFit
        return found[-1 - choices.int(0, len(found) - 1)]

    def floating(self, choices: Choices, low: int = 1, high: int = 9) -> Value:
        """A value of floating numbers of rank low to high."""
        return self.pick(choices, lambda v: v.dtype == self.dtype and low <= v.rank <= high)

    def given(self, name: str, spec: Input) -> Value:
        """An input, made if it is not there."""
        known = [v for v in self.values if v.variable is self.environment.inputs.get(name)]
        if known:
            return known[0]
        if name not in self.environment.inputs:  # else it was made in another block
            block = fluid.default_main_program().global_block()
            self.environment.inputs[name] = block.create_var(
                name=name, shape=spec.shape, dtype=spec.dtype, lod_level=spec.ragged, is_data=True,
                stop_gradient=not spec.dtype.startswith("float"), need_check_feed=True,
            )  # fmt: skip
            self.inputs[name] = spec
        return self._noted(Call(f"input {name}", lambda env: [env.inputs[name]]), spec.rows, spec.high)[0]

    def parameter(self, *shape: int) -> Value:
        """Weights of a shape; those of one shape are one parameter."""
        return self.given("w_" + "x".join(map(str, shape)), Input(shape, self.dtype, parameter=True))

    def call(
        self, label: str, run: Callable[..., Any], *values: Value, rows: str | None = None, high: int = 0,
        cancels: Cancels | None = None, bends: bool | Callable[[Any], Any] = False,
    ) -> list[Value]:  # fmt: skip
        """Append run(*variables); rows and high are those of the results, rows by default that of the first value with any.

        cancels: of an operator that subtracts numbers larger than its result, or than its gradient: (factor, beside), where
            those numbers are as large as factor * (|x| + beside), x the first input. bends: its gradient is a difference, as 1 - out * out is;
            of an operator with several results, or of other shapes, how the first input becomes like the first result.
        """
        places = [v.place for v in values]

        def taken(env: Environment) -> Sequence[Any]:
            taken = [env.taken(place) for place in places]
            made = run(*taken)
            made = list(made) if isinstance(made, (list, tuple)) else [made]
            if env.hook and (cancels or bends):
                like = bends if callable(bends) else lambda x: fluid.layers.reshape(x, list(made[0].shape))
                made[0] = _with_noise(made[0], taken[0], env.hook, cancels, like)
            return made

        if rows is None:
            rows = next((v.rows for v in values if v.rows), "")
        block = fluid.default_main_program().current_block()
        start, reads = len(block.ops), []
        call = Call(f"{label}({', '.join(f'v{p}' for p in places)})", taken, lambda: reads)
        try:
            made = self._noted(call, rows, high)
        except DtypeError:
            if UNCOMMON.isdisjoint(v.dtype for v in values):
                raise
            raise NoFit from None
        names = _differentiated(block.ops[start:], {v.variable.name for v in made})
        reads += [v.place for v in values if v.variable.name in names]
        return made

    def block_call(self, call: Call, rows: str) -> list[Value]:
        """Append a call that has blocks of its own."""
        return self._noted(call, rows, 0)

    def reached(self, place: int) -> set[int]:
        """The places of the values that a gradient of the one at this place reaches through the calls made here."""
        values, found, open_ = {v.place: v for v in self.values}, set(), [place]
        while open_:
            place = open_.pop()
            if place in found or values[place].variable.stop_gradient:
                continue
            found.add(place)
            if place in self.makers:
                open_ += self.makers[place].reads()
        return found

    def inner(self, environment: Environment, more: Sequence[Value] = ()) -> Builder:
        """A Builder of a block that sees all values that there are, and more."""
        return type(self)(self.dtype, self.inputs, environment, [*self.values, *more])

    def value(self, place: int, variable: Any, rows: str, high: int = 0) -> Value:
        shape = tuple(variable.shape)
        rows = rows if shape and shape[0] == -1 else ""
        dtype = to_numpy(variable.dtype).name
        return Value(place, variable, shape, dtype, rows, high, variable.lod_level)

    def _noted(self, call: Call, rows: str, high: int) -> list[Value]:
        start = len(self.environment.values)
        self.environment.run([call])
        self.calls.append(call)
        made = [
            self.value(start + k, variable, rows, high) for k, variable in enumerate(self.environment.values[start:])
        ]
        self.values += made
        self.makers.update(dict.fromkeys((v.place for v in made), call))
        return made


def _differentiated(operators: Sequence[Any], names: set[str]) -> set[str]:
    """The names, and those to which operators have a gradient from them. That of a cast passes whole numbers and bool, too."""
    names = set(names)
    for op in reversed(operators):
        grad = op.declared.grad
        if grad is not None and names.intersection(op.output_arg_names):
            names.update(name for slot in grad.targets for name in op.inputs.get(slot) or ())
    return names


def itself(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`cancels` of an operator that subtracts numbers as large as its first input."""
    return np.ones_like(x), np.zeros_like(x)


def _with_noise(
    made: Any,
    x: Any,
    hook: Callable[[Any], Any],
    larger: Cancels | None,
    like: Callable[[Any], Any],
) -> Any:
    """The result, with what roundings of terms move; larger=None: of its gradient alone, by roundings of the gradient.

    larger: (factor, beside) of terms of the size factor * (|x| + beside). like: makes an array like the result of one like x.
    """
    if not x.array.size:
        return made
    constant = fluid.dygraph.to_variable
    finite = np.isfinite(x.array)
    factor, beside = itself(x.array) if larger is None else larger(x.array)
    factor = np.broadcast_to(factor, x.array.shape)
    shift = np.nan_to_num(x.array if larger is None else -np.copysign(beside, x.array)).astype(x.array.dtype)
    safe = tensor.where(constant(finite), x, constant(np.zeros_like(x.array)))
    terms = fluid.layers.elementwise_mul(
        fluid.layers.elementwise_sub(safe, constant(shift)), constant(np.nan_to_num(factor).astype(x.array.dtype))
    )
    # it is 0 if larger is None; subtracted, it keeps the sign of a zero
    noise = fluid.layers.elementwise_sub(terms, hook(terms))
    return fluid.layers.elementwise_sub(made, like(noise))


def of_one_use(value: Any, hook: Callable[[Any], Any]) -> Any:
    """The same value; the gradient that comes back through it is what the hook makes of it."""
    if value.stop_gradient or value.array.dtype.kind != "f":
        return value
    return _with_noise(value, value, hook, None, lambda noise: noise)


class Drawn(NamedTuple):
    """A Program that was drawn, with what it takes to run it again in another mode."""

    program: Any
    inputs: dict[str, Input]
    calls: list[Call]
    values: list[Value]
    kinds: list[str]
    fetched: list[Value]
    targets: list[Value]
    sources: list[str]
    gradients: list[Any]

    def listing(self) -> str:
        """The calls, a line each."""
        return "\n".join(str(call.label) for call in self.calls)


def operator(name: str) -> Callable[..., Any]:
    """The call of an operator in any mode: all of its inputs, None for those that are absent, and attributes."""
    return registry.get(name).call


def draw_plan(rng: random.Random, kinds: Sequence[str], low: int = 6, high: int = 18, depth: int = 0) -> list[Step]:
    """Draw a plan."""
    steps = []
    count = rng.randint(low, high)
    for k in range(count):
        kind = rng.choice(kinds) if depth or k >= 4 else rng.choice(FIRST)
        inner = tuple(tuple(draw_plan(rng, kinds, 1, 3, depth + 1)) for _ in range(2)) if depth < 2 else ()
        steps.append((kind, tuple(rng.randrange(1 << 16) for _ in range(6)), inner if kind in NESTED else ()))
    return steps


FIRST = ("dense", "dense", "dense", "image", "any_image", "words", "ids", "integers", "tokens", "small")
NESTED = ("cond", "while_loop", "twice", "static_rnn", "dynamic_rnn")


def built(plan: Sequence[Step], dtype: str, kinds: dict[str, Any], chosen: random.Random) -> Drawn:
    """Build the default Program of a plan, with gradients. chosen: chooses what is fetched, and differentiated."""
    builder = Builder(dtype, {}, Environment({}, []), [])
    builder.take(plan, kinds)
    values = builder.values
    if not values:
        raise NoFit
    floats = [v for v in values if v.dtype == dtype and not v.variable.stop_gradient]
    targets = list({v.place: v for v in [*floats[-2:], *chosen.sample(floats, min(1, len(floats)))]}.values())
    fetched = [v for v in values[:-1] if chosen.random() < 0.3] + values[-1:]
    sources = [name for name, spec in builder.inputs.items() if spec.dtype == dtype]
    gradients: list[Any] = [None] * len(sources)
    if targets and sources:
        losses = [loss(v.variable) for v in targets]
        gradients = fluid.gradients(losses, [builder.environment.inputs[name] for name in sources])
    program = fluid.default_main_program()
    return Drawn(program, builder.inputs, builder.calls, values, builder.kinds, fetched, targets, sources, gradients)


def loss(value: Any) -> Any:
    """What is differentiated of a value."""
    return fluid.layers.reduce_sum(fluid.layers.square(value))


def numbers_of(value: Any) -> np.ndarray:
    """The array of a result in any mode."""
    return np.asarray(value.array if hasattr(value, "array") else value)
