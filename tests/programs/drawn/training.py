"""A drawn Program that is trained for some steps in every way: the loss, the parameters and what its test form gives after each."""

from __future__ import annotations

import collections
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from paddle_lite import fluid
from paddle_lite.core import unique_name
from paddle_lite.core.errors import EnforceNotMet
from paddle_lite.static import Executor, Program, Scope, program_guard, scope_guard
from tests.static.passes import passes

from . import bounds, optimizers, ways
from .builder import Builder, Call, Environment, Input, NoFit, Step, Value, draw_plan
from .feeds import Shape, feed
from .kinds import KINDS, NAMES
from .trial import Difference, Outcome, Trial

STEPS = (Shape(3, (2, 1, 3)), Shape(1, (1,), seed=1), Shape(4, (2, 3), seed=5))
# the optimizers' numbers are float32 in Programs, as in their files, and of any precision in imperative mode
SINGLE = float(np.finfo("float32").eps)
IS_NAN = "is NaN"  # what imperative mode tells of the gradients of a step
# the test form of a Program computes with running statistics, that of imperative mode with what the call says
UNLIKE_IN_TESTS = ("batch_norm",)
Results = Any  # {name#step: array}, or the Exception that was raised


class TrainingBuilder(Builder):
    """A Builder whose parameters are parameters of the Program, with the numbers that would be fed."""

    trains = True

    def given(self, name: str, spec: Input) -> Value:
        if spec.parameter and name not in self.environment.inputs:
            create = fluid.layers.create_parameter
            self.environment.inputs[name] = create(list(spec.shape), spec.dtype, attr=fluid.ParamAttr(name=name))
            self.inputs[name] = spec
        return super().given(name, spec)


def initial(trained: Trained) -> dict[str, np.ndarray]:
    """The numbers that training starts from."""
    found = feed({name: trained.inputs[name] for name in trained.parameters}, STEPS[0])
    return {name: np.ascontiguousarray(array) for name, array in found.items()}


class Trained(NamedTuple):
    """A Program that trains. values: what is fetched from its test form; parameters: their names."""

    main: Program
    startup: Program
    test: Program
    inputs: dict[str, Input]
    calls: list[Call]
    kinds: list[str]
    targets: list[Value]
    values: list[Value]
    loss: Any
    parameters: list[str]
    optimizer: optimizers.Chosen

    def listing(self) -> str:
        return "\n".join([*(str(call.label) for call in self.calls), str(tuple(self.optimizer))])


def drawn_training(seed: int, dtype: str | None = None, without: Sequence[str] = ()) -> Trial:
    """Draw a Program that trains. without: kinds of steps that it does not have."""
    rng = random.Random(seed)
    names = [n for n in NAMES if n not in without and (n not in UNLIKE_IN_TESTS or seed % 2)]
    plan = [("product", (0,), ()), *draw_plan(rng, names), ("dense_layer", (seed, seed // 7, seed // 3), ())]
    plan.insert(0, ("dense", (0,), ()))
    return Trial(plan, dtype or rng.choice(("float32", "float32", "float64")), seed, STEPS, True)


@contextmanager
def program_of(trial: Trial) -> Iterator[Trained]:
    main, startup = Program(), Program()
    with unique_name.guard(), program_guard(main, startup), scope_guard(Scope()):
        yield built(trial.plan, trial.dtype, random.Random(trial.seed))


def built(plan: Sequence[Step], dtype: str, rng: random.Random) -> Trained:
    """Build the default Programs of a plan, with updates."""
    builder = TrainingBuilder(dtype, {}, Environment({}, []), [])
    builder.take(plan, KINDS)
    floats = [v for v in builder.values if v.dtype == dtype and not v.variable.stop_gradient]
    targets = list({v.place: v for v in [*floats[-2:], *rng.sample(floats, min(1, len(floats)))]}.values())
    if not targets:
        raise NoFit
    loss = added([v.variable for v in targets])
    main, startup = fluid.default_main_program(), fluid.default_startup_program()
    test = main.clone(for_test=True)
    optimizer = optimizers.chosen(rng)
    try:
        optimizer.made().minimize(loss)
    except EnforceNotMet as error:  # nothing of it has parameters
        raise NoFit from error
    names = [p.name for p in main.all_parameters()]
    values = targets if types_of(main).isdisjoint(UNLIKE_IN_TESTS) else []
    return Trained(
        main, startup, test, builder.inputs, builder.calls, builder.kinds, targets, values, loss, names, optimizer
    )


def types_of(program: Program) -> set[str]:
    return {op.type for block in program.blocks for op in block.ops}


def added(targets: Sequence[Any]) -> Any:
    """What is minimized."""
    losses = [fluid.layers.reduce_mean(fluid.layers.square(v)) for v in targets]
    return losses[0] if len(losses) == 1 else fluid.layers.sum(losses)


# --- the ways ----------------------------------------------------------------------------------------------------------------


def imperatively(trained: Trained, feeds: Sequence[Any], hook: Callable[[Any], Any] | None = None) -> Results:
    """In imperative mode."""
    with fluid.dygraph.guard():
        layer = fluid.dygraph.Layer()
        parameters = {}
        for name, array in initial(trained).items():
            attr = fluid.ParamAttr(name=name)
            parameters[name] = layer.create_parameter(list(array.shape), attr, array.dtype.name)
            parameters[name].set_value(array)
        optimizer = trained.optimizer.made(list(parameters.values()))
        found: dict[str, Any] = {}
        try:
            for step, fed in enumerate(feeds):
                inputs = {name: fluid.dygraph.to_variable(array) for name, array in fed.items()}
                env = Environment({**inputs, **parameters}, [], hook, at_once=True)
                env.run(trained.calls)
                loss = added([env.taken(v.place) for v in trained.targets])
                loss.backward()
                slopes = [p.gradient() for p in parameters.values()]
                found[f"{IS_NAN}#{step}"] = np.array(any(g is not None and _any_nan(g) for g in slopes))
                optimizer.minimize(loss)
                for each in parameters.values():
                    each.clear_gradient()
                found[f"loss#{step}"] = loss.array.copy()
                found.update({f"{name}#{step}": np.array(p.array) for name, p in parameters.items()})
                if trained.values:
                    layer.eval()
                    env = Environment({**inputs, **parameters}, [], hook, at_once=True)
                    env.run(trained.calls)
                    found.update({f"v{v.place}#{step}": np.array(env.values[v.place].array) for v in trained.values})
                    layer.train()
        except Exception as error:
            return error
        finally:
            layer.train()
    return found


def executed(trained: Trained, feeds: Sequence[Any], which: str, reloaded: bool = False) -> Results:
    """By an Executor with these passes. reloaded: the Programs out of their files."""
    programs = trained.startup, trained.main, trained.test
    startup, main, test = map(ways.reloaded, programs) if reloaded else programs
    executor, scope, found = Executor(), Scope(), {}
    for program in (main, test):
        program._plans.clear()
    with passes(which, 0):
        try:
            executor.execute(startup, {}, [], scope)
            for name, array in initial(trained).items():
                scope.find_var(name).get_tensor().set(array, fluid.CPUPlace())
            for step, fed in enumerate(feeds):
                [[loss, _]] = executor.execute(main, dict(fed), [trained.loss.name], scope)
                found[f"loss#{step}"] = np.array(loss)
                for name in trained.parameters:
                    found[f"{name}#{step}"] = np.array(scope.find_var(name).get_tensor())
                if trained.values:
                    names = [v.variable.name for v in trained.values]
                    made = executor.execute(test, dict(fed), names, scope)
                    for value, (array, _) in zip(trained.values, made, strict=True):
                        found[f"v{value.place}#{step}"] = np.array(array)
        except Exception as error:
            return error
    return found


WAYS: dict[str, Callable[[Trained, Sequence[Any]], Results]] = {
    "unfused": lambda trained, feeds: executed(trained, feeds, "none"),
    "fused": lambda trained, feeds: executed(trained, feeds, "all"),
    "reloaded": lambda trained, feeds: executed(trained, feeds, "none", True),
    "reloaded and fused": lambda trained, feeds: executed(trained, feeds, "all", True),
}


class Reference:
    """What imperative mode gives of a Program that trains, and how far others may be from it."""

    def __init__(self, trained: Trained, trial: Trial, repetitions: int = bounds.REPETITIONS) -> None:
        self.feeds = [feed(fed_of(trained), shape) for shape in trial.feeds]
        self.shape = trial.feeds[0]
        self.right = imperatively(trained, self.feeds)
        self.limits: dict[str, bounds.Bound] = {}
        self.tally: collections.Counter = collections.Counter()
        self.unclipped_from = _first_nan(self.right) if trained.optimizer.clip == "common norm" else len(self.feeds)
        if not isinstance(self.right, Exception):
            hooks = [bounds.shaken(np.random.default_rng(k), SINGLE) for k in range(repetitions)]
            others = [imperatively(trained, self.feeds, hook) for hook in hooks]
            for other in others:
                if isinstance(other, Exception):
                    raise other
            sizes = {name: np.abs(array) for name, array in initial(trained).items()}
            for name, array in self.right.items():  # a step after the other
                which = name.rpartition("#")[0]
                sizes[which] = np.maximum(
                    np.abs(np.nan_to_num(array)), sizes.get(which, 0.0) if which in trained.parameters else 0
                )
                self.limits[name] = _bound(array, [o[name] for o in others], sizes[which])

    def differences(self, way: str, got: Results) -> list[Difference]:
        """What is wrong with the results of a way."""
        failed, expected = isinstance(got, Exception), isinstance(self.right, Exception)
        if failed or expected:
            self.tally[way, "errors"] += 1
            raw = any(isinstance(e, Exception) and not isinstance(e, EnforceNotMet) for e in (got, self.right))
            text = f"{got if failed else 'no error'}; imperative mode: {self.right if expected else 'no error'}"
            return [Difference(way, self.shape, "", text[:400])] if raw or failed != expected else []
        found = []
        for name, right in self.right.items():
            if int(name.rpartition("#")[2]) >= self.unclipped_from:
                continue
            text = bounds.complaint(got[name], right, self.limits[name]) if name in got else ""
            if text:
                found.append(Difference(way, self.shape, name, text))
            self.tally[way, "arrays"] += name in got
            self.tally[way, "bits"] += name in got and bounds.same_bits(got[name], right)
            self.tally[way, "elements"] += right.size
            self.tally[way, "undecided"] += int((~self.limits[name].compared).sum())
        return found


def _first_nan(right: Results) -> float:
    """The step of the first gradient of NaN: a common norm of NaN clips Programs only, here as in PaddlePaddle 1.8.5."""
    arrays = {} if isinstance(right, Exception) else right
    steps = [int(name.rpartition("#")[2]) for name, array in arrays.items() if name.startswith(IS_NAN) and array]
    return min(steps, default=len(STEPS))


def _any_nan(gradient: Any) -> bool:
    """Whether a gradient, or the values of a sparse one, hold NaN."""
    return bool(np.isnan(gradient[0] if isinstance(gradient, tuple) else gradient).any())


def _bound(right: np.ndarray, others: Sequence[np.ndarray], size: np.ndarray) -> bounds.Bound:
    """size: the largest magnitude that each element has had: rounding of that size stays in it."""
    found = bounds.bound(right, others)
    return found._replace(allowed=found.allowed + 2 * bounds.ULPS * SINGLE * size.astype("float64"))


def fed_of(trained: Trained) -> Mapping[str, Input]:
    return {name: spec for name, spec in trained.inputs.items() if name not in trained.parameters}


def tried(trial: Trial, only: Sequence[str] = ()) -> Outcome:
    """Train in every way, or only in these; what differs is judged again by bounds of more repetitions."""
    with np.errstate(all="ignore"), program_of(trial) as trained:
        problems = trained.main.lint() + trained.test.lint() + trained.startup.lint()
        found = [Difference("lint", trial.feeds[0], "", str(problems)[:200])] if problems else []
        reference = Reference(trained, trial)
        results = {way: run(trained, reference.feeds) for way, run in WAYS.items() if not only or way in only}
        if any(reference.differences(way, got) for way, got in results.items()):
            reference = Reference(trained, trial, bounds.MORE_REPETITIONS)
        reference.tally.clear()
        for way, got in results.items():
            found += reference.differences(way, got)
        return Outcome(found, reference.tally, trained.kinds, trained.listing())
