"""A Plan: a block compiled to one Python function, run many times."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...core import flags
from ...core.dtype import to_numpy
from ...core.generated import define
from ...ops.framework.traits import Sum
from ..program.operator import Operator
from ..program.program import Program
from . import observing
from . import py_func as _py_func  # noqa: F401  registers its lowering
from .capturable import obstacles
from .captured import Replays
from .checks import ShapeChecks
from .errors import explained
from .exact import ExactPlans, gains, size_of
from .graph import FunctionGraph
from .loops import lowering as _lowering  # noqa: F401  registers its lowerings
from .needed import is_array, needed_operators, outer_reads, writes
from .passes import COMPILING, switched_on, usable
from .ssa import Options
from .usual_inputs import UsualInputs
from .warm_up import WarmUp, batch_of
from .writer import Writer

if TYPE_CHECKING:
    from ..program.block import Block
    from .listing import Listing

WARM_UP = "FLAGS_plan_warm_up"
AT_ONCE = frozenset({"concats", "steps", "products", "tables", "updates"})
"""Passes of the first run, too, for they spare memory.

Without `products` and `tables` all gradients that are added up would be held until the last one is there, without `concats` and `steps`
what is concatenated in each step. Parameters that are updated in place stay where they are; new ones would be put between arrays of the
run, where they divide the memory that later runs have.
"""
MOST_KEYS = 256  # limit of the remembered combinations of shapes, dtypes and LoDs that have been checked
MANY = 16  # the least number of inputs that are compared by a kernel with those of earlier runs
_numbers = itertools.count()


def _spares_memory(op: Operator) -> bool:
    """Return whether one of the passes AT_ONCE may take an operator."""
    return "Param" in op.inputs or (op.declared is not None and isinstance(op.declared.traits.algebra, Sum))


class PassSelection(NamedTuple):
    """The selection of passes by a BuildStrategy.

    off: the names of the disabled passes. at_once: the names of the passes that are applied from the second run on,
    without a warm-up.
    """

    off: frozenset[str] = frozenset()
    at_once: frozenset[str] = frozenset()


class Compiled(NamedTuple):
    """A compiled function of a Plan. writer: the Writer of its source. text: its source."""

    function: Callable
    writer: Writer
    text: str


def _has_value(block: Block, name: str) -> bool:
    """Return whether it is an error to fetch a Variable that no operator has written; a result of an operator is None then."""
    variable = block.find(name)
    return variable is None or variable.is_data or (variable.persistable and not block._writes(name))


class Plan:
    """A Program compiled for one set of feeds and fetches.

    `print(plan.listing())` shows the kernels, the operators of each kernel, and their bytes and FLOPs; a notebook
    displays the listing of a Plan. `plan.source` is the source of the function. `paddle_lite.static.plan_of` returns
    the Plan of a Program.

    Arguments:
        program: the Program.
        feeds: the names of the fed Variables.
        ragged: the feeds that have a LoD.
        fetches: the names of the Variables to return.
        device: "cpu" or "gpu".
        selection: the selection of passes by the BuildStrategy of the Program; None without a BuildStrategy.
    """

    unrolls = True
    """Whether a Plan for exact sizes may write recurrences out: nothing else counts the operators of the Program."""
    first = 0
    """The number of operators of the first half, of a Plan that runs in two."""

    def __init__(
        self,
        program: Program,
        feeds: Sequence[str],
        ragged: Iterable[str],
        fetches: Sequence[str],
        device: str,
        selection: PassSelection | None = None,
    ) -> None:
        block = program.global_block()
        self.block = block
        self.device = device
        self.fetches = list(fetches)
        self.ops = needed_operators(block, fetches)
        for op in self.ops:
            _ = op.definition  # an operator that cannot run is named before values that are missing
        self.fed = set(feeds)
        self._bind(outer_reads(self.ops, fetches), self._persistable(self.ops))
        needed = outer_reads(self.ops, [n for n in fetches if _has_value(block, n)], left=False)
        self.optional = set(self.inputs) - {n for n in needed if not is_array(block, n)}
        self.ragged = [n for n in self.inputs if n in set(ragged)]
        self._written: dict[tuple[bool, bool], Compiled] = {}  # (checked, fused) -> the function with passes
        off, hurried = selection or PassSelection()
        self.passes = usable(switched_on() - off)
        compiling = self.passes & COMPILING if device == "cpu" else frozenset()
        waits = bool(compiling) and not compiling & hurried
        self._warm_up = WarmUp(flags.get_flags(WARM_UP)[WARM_UP] if waits else 0)
        self._batch: int | None = None  # the size of unknown dimensions in the first run
        self._of_first_run: dict[
            bool, Compiled
        ] = {}  # whether the inputs are as declared -> the function of the first run
        self._observed: Compiled | None = None
        self._seen: set[Any] = set()
        self._shapes = ShapeChecks()
        self._obstacles: list[str] | None = None
        self._replays = Replays(self.inputs, self.fetches, self.kept) if device == "gpu" else None
        self._built: FunctionGraph | None = None  # the instructions before passes, reused for the next function
        self._selection = selection
        self._exact = ExactPlans(program, self) if gains(program, self) else None
        self._usual = UsualInputs()

    def _bind(self, inputs: Sequence[str], kept: Sequence[str]) -> None:
        """Set the names of the inputs, in the order in which the function takes them, and of what a run stores in the scope."""
        self.inputs, self.kept = list(inputs), list(kept)
        self.from_scope = [n for n in inputs if n not in self.fed]
        places = {n: k for k, n in enumerate(inputs)}
        self.places_of_feeds = [(places[n], n) for n in inputs if n in self.fed]
        self.places_of_kept = [None if n in self.fed else places.get(n) for n in kept]

    def _persistable(self, ops: Iterable[Operator]) -> list[str]:
        """Return the names of the persistable Variables that operators write."""
        written = dict.fromkeys(n for op in ops for n in writes(op))
        return [n for n in written if (v := self.block.find(n)) is not None and v.persistable]

    def of(self, program: Program, first: int = 0) -> Plan:
        """Return the Plan of another Program that computes the same from the same Variables; it takes them in the same order.

        first: the number of operators of its first half, if this Plan runs in two.
        """
        feeds = [name for name in self.inputs if name in self.fed]
        plan = Plan(program, feeds, self.ragged, self.fetches, self.device, self._selection)
        plan._bind(self.inputs, plan.kept)
        return plan

    def _writer(self, options: Options) -> Writer:
        """Return the Writer of the function."""
        results = [*self.fetches, *self.kept]
        return Writer(self.block, self.ops, self.inputs, self.ragged, results, options, built=self._built)

    def _compile(self, checked: bool, observed: bool = False, passes: frozenset[str] = frozenset()) -> Compiled:
        writer = self._writer(Options(self.device, checked, observed, passes, shapes=self._shapes))
        self._built = writer.built
        text = writer.write()
        return Compiled(define(f"plan {next(_numbers)}", "plan", text, writer.scope), writer, text)

    def operators_in_steps(self) -> int:
        """Return the number of operators that the longest run so far has run in the steps of recurrences and loops."""
        bodies = (
            [] if self._built is None else [each.body[0] for each in self._built.instructions if each.body is not None]
        )
        return sum(body.longest[0] * size_of(body.ops) for body in dict.fromkeys(bodies))

    @property
    def source(self) -> str:
        """The source of the Python function with all passes.

        The first runs, before kernels are compiled, run a function without the passes that compile.
        """
        return self._function(checked=False, fused=True).text

    def _function(self, checked: bool, fused: bool) -> Compiled:
        """Return the function with passes; it is compiled at the first call."""
        function = self._written.get((checked, fused))
        if function is None:
            passes = self.passes if fused else self.passes - COMPILING
            function = self._written[checked, fused] = self._compile(checked, passes=passes)
        return function

    def _first_function(self, declared: bool) -> Compiled:
        """Return the function that checks the inputs of each operator; declared: whether the inputs are those of the Program."""
        if declared not in self._of_first_run:
            fit = declared and self.device == "cpu" and any(map(_spares_memory, self.ops))
            passes = self.passes & AT_ONCE if fit else frozenset()
            self._of_first_run[declared] = self._compile(checked=True, passes=passes)
        return self._of_first_run[declared]

    def _warmed_up(self, checked: bool) -> bool:
        """Return whether a run calls fused kernels; if not, it counts as one of the warm-up."""
        warm_up = self._warm_up
        if warm_up.runs is None:
            assert self._built is not None and self._batch is not None
            warm_up.start(self._built, self._batch)
        if warm_up.over and not warm_up.exact:
            warm_up.settle(self._function(checked, fused=True).writer.graph)
        if warm_up.over:
            return True
        warm_up.past += 1
        return False

    def _batch_of(self, values: Sequence[Any]) -> int:
        """Return the size that estimates use for dimensions unknown to the Program."""
        found = ((self.block.find(n), v) for n, v in zip(self.inputs, values, strict=True))
        return batch_of(
            (tuple(variable.shape), value.shape)
            for variable, value in found
            if variable is not None and variable.shape and isinstance(value, np.ndarray)
        )

    def run(self, values: Sequence[Any], lods: Sequence[Any]) -> tuple[tuple, tuple]:
        """Run the Plan.

        Arguments:
            values: the arrays of `inputs`, in their order.
            lods: the LoDs of `ragged`, in their order.

        Returns:
            (arrays, LoDs) of the fetches, followed by those of the persistable Variables in `kept`.

        The first run checks the inputs of each operator and applies the passes AT_ONCE only. Later runs apply passes if the shapes
        and dtypes of the inputs are those of the Program. New shapes, dtypes or LoDs are checked for the operators that
        are not part of a unit. Operators that read values whose shape depends on values are checked whenever these have
        a new shape.
        """
        if observing.active:
            if self._observed is None:
                self._observed = self._compile(checked=True, observed=True)
            return self._call(self._observed, values, lods)
        key: Any = None
        keyed = bool(lods) or len(values) < MANY or self._exact is not None or self._replays is not None
        usual = None if keyed else self._usual
        known = usual is not None and usual.match(values)
        if not known:
            key = (tuple([(getattr(v, "shape", None), getattr(v, "dtype", None)) for v in values]), tuple(lods))
            known = key in self._seen
            if known and usual is not None:
                usual.ran(key, values)
        if known and self._exact is not None:
            exact = self._exact.plan(key, values)
            if exact is not None:
                return exact.run(values, lods)
        if self._batch is None:
            self._batch = self._batch_of(values)
        if known or (self._seen and self._as_declared(values)):
            function = self._function(not known, fused=self._warmed_up(not known))
        else:
            function = self._first_function(self._as_declared(values))
        count = len(self._shapes.unknown)
        if known and self._replays is not None and self._replays.due(key) and not self.obstacles:
            return self._call(function, values, lods, key)
        result = self._call(function, values, lods)
        if len(self._shapes.unknown) > count:  # compile functions that check what depends on these shapes
            self._written.clear()
            self._obstacles = None
        if not known and len(self._seen) < MOST_KEYS and self._as_declared(values):
            self._seen.add(key)
        return result

    def _as_declared(self, values: Sequence[Any]) -> bool:
        """Return whether the inputs have the shapes and dtypes of the Program, which passes rely on."""
        for name, value in zip(self.inputs, values, strict=True):
            variable = self.block.find(name)
            if variable is None or not hasattr(value, "ndim") or not variable.shape:
                continue
            shape = variable.shape
            if len(shape) != value.ndim or any(m not in (n, -1) for m, n in zip(shape, value.shape, strict=True)):
                return False
            if variable.dtype is not None and to_numpy(variable.dtype, "Plan") != value.dtype:
                return False
        return True

    @property
    def obstacles(self) -> list[str]:
        """Why no CUDA graph can hold the Plan on a GPU: the operators that need the host; [] if one can.

        Runs of a Plan on a GPU whose shapes repeat are replayed as one launch where FLAGS_plan_cuda_graphs is set.
        """
        if self._obstacles is None:
            self._obstacles = [*obstacles(self._function(checked=False, fused=True).writer.graph)]
            if self._shapes.unknown:
                self._obstacles.append("shapes depend on values")
        return self._obstacles

    def _call(self, compiled: Compiled, values: Sequence[Any], lods: Sequence[Any], key: Any = None) -> Any:
        """Call a function; with a key, the shapes of its inputs, as a CUDA graph."""
        try:
            if key is not None and self._replays is not None:
                return self._replays.run(key, compiled.function, values, lods)
            return compiled.function(values, lods)
        except Exception as error:
            raise explained(compiled.function, compiled.writer, error)  # noqa: B904 - it has its own cause

    def listing(self) -> Listing:
        """Return the listing of the Plan: a row for each kernel, with its operators, results, bytes and FLOPs."""
        from .listing import Listing

        title = f"Plan of {self._said()}, on the {'CPU' if self.device == 'cpu' else 'GPU'}"
        return Listing(title, self._function(checked=False, fused=True).writer, self.block.ops)

    def _said(self) -> str:
        fed = [name for name in self.inputs if name in self.fed]
        return f"{len(self.ops)} operators: {', '.join(fed)} -> {', '.join(self.fetches) or 'parameters'}"

    def __repr__(self) -> str:
        return f"<Plan of {self._said()}>"

    def _repr_html_(self) -> str:
        return self.listing().html()
