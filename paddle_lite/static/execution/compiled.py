"""CompiledProgram and ParallelExecutor: a Program with options, on one place or several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

from ...core.calls.former import formerly
from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.place import CPUPlace, CUDAPlace, Place, cpu_places, cuda_places
from ..ir_graph.graph import Graph
from ..plan.plan import PassSelection
from ..program import program as programs
from ..program.cloning import copy_program
from ..program.operator import Operator
from ..program.program import Program
from . import scope as scopes
from .data_parallel import DataParallel
from .executor import Executor
from .plan_cache import fetch_names
from .pruning import split_updates
from .results import to_result
from .scope import Scope
from .strategies import BuildStrategy, ExecutionStrategy


class CompiledProgram:
    """A Program with options; `Executor.run` accepts one in place of a Program.

    It runs the operators that the Program has at the time of this call. It does not run operators that are appended later, such as an
    optimizer's.

    Arguments:
        program_or_graph: a Program, or a `fluid.core.Graph` of one.
        build_strategy: a BuildStrategy.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     y = fluid.layers.scale(fluid.data('x', [None, 2], 'float32'), scale=2.0)
    ...     compiled = fluid.CompiledProgram(fluid.default_main_program())
    >>> fluid.Executor(fluid.CPUPlace()).run(compiled, feed={'x': np.ones([1, 2], 'float32')}, fetch_list=[y])
    [array([[2., 2.]], dtype=float32)]
    """

    @formerly(program="program_or_graph")
    def __init__(self, program_or_graph: Any, build_strategy: BuildStrategy | None = None) -> None:
        if isinstance(program_or_graph, Graph):
            program_or_graph = program_or_graph.to_program()
        if not isinstance(program_or_graph, Program):
            needs = "a fluid.Program, or a fluid.core.Graph"
            raise ArgumentTypeError(message("CompiledProgram", "program_or_graph", describe(program_or_graph), needs))
        self._program: Program = program_or_graph
        self._operators = list(program_or_graph.global_block().ops)
        self._runs: Program = program_or_graph  # the Program, or a copy with these operators
        self._seen = program_or_graph.changes
        self._build_strategy = _checked("CompiledProgram", build_strategy, BuildStrategy)
        self._parallel: DataParallel | None = None
        self._predictor: Any = None
        self._parts: WeakKeyDictionary[Program, DataParallel] = WeakKeyDictionary()
        self._shared: CompiledProgram | None = None
        self._ran = False  # whether it has run, or was compiled, on several places
        self._compiled_for: tuple[Scope, Any] | None = None
        _draw(self._program, self._build_strategy)

    @property
    def program(self) -> Program:
        """The Program that this was made from."""
        return self._program

    def _as_made(self) -> Program:
        """Return the Program, or a copy if its operators are no longer those that it had when this was made."""
        if self._seen != self._program.changes:
            self._seen = self._program.changes
            if self._runs is self._program and self._program.global_block().ops != self._operators:
                self._runs = _with_operators(self._program, self._operators)
        return self._runs

    @property
    def _is_data_parallel(self) -> bool:
        """Whether `with_data_parallel` was called."""
        return self._parallel is not None

    @property
    def _places(self) -> Sequence[Any] | None:
        """The places that `with_data_parallel` was given; None where it chooses them at the first run."""
        return None if self._parallel is None else self._parallel.places

    @property
    def _loss_name(self) -> str | None:
        """The name of the loss that `with_data_parallel` was given."""
        return None if self._parallel is None else self._parallel.loss_name

    @property
    def pass_selection(self) -> PassSelection | None:
        """The selection of passes by its BuildStrategy; None if it has none."""
        return self._build_strategy.pass_selection()

    def with_inference_optimize(self, config: Any) -> CompiledProgram:
        """Run the model of a config instead: `Executor.run(compiled, feed=[PaddleTensor, ...])` returns PaddleTensors.

        Arguments:
            config: a `fluid.core.AnalysisConfig` or `fluid.core.NativeConfig`.

        Returns:
            Itself.

        Raises:
            ArgumentTypeError: `config` is neither.
            MissingFileError: there is no such model.
        """
        if not hasattr(config, "make_predictor"):
            needs = "an AnalysisConfig or a NativeConfig"
            raise ArgumentTypeError(message("with_inference_optimize", "config", describe(config), needs))
        self._predictor = config.make_predictor()
        return self

    _with_inference_optimize = with_inference_optimize

    def with_data_parallel(
        self,
        loss_name: str | None = None,
        build_strategy: BuildStrategy | None = None,
        exec_strategy: ExecutionStrategy | None = None,
        share_vars_from: CompiledProgram | None = None,
        places: Sequence[Any] | int | None = None,
    ) -> CompiledProgram:
        """Run it on several places at once, each with a part of every batch.

        Each place computes the gradients of its part in a thread; they are averaged, and the parameters are updated once.

        Arguments:
            loss_name: the name of the loss; needed for training.
            build_strategy: options; `gradient_scale_strategy` determines how gradients are averaged.
            exec_strategy: options; `num_threads` is the number of places that work at a time.
            share_vars_from: a CompiledProgram that trains the same parameters; they are shared through the Scope anyway.
            places: the places, a list of CPUPlace() or CUDAPlace(i), one of these, or the number of CPUs; by default CPU_NUM CPUs
                for an Executor on the CPU, and all GPUs for one on a GPU.

        Returns:
            This CompiledProgram.

        Raises:
            ArgumentValueError: the method was called before; when it runs, `share_vars_from` is for a single place, or has not
                run yet.
        """
        if self._parallel is not None:
            raise ArgumentValueError(
                message("with_data_parallel", "the Program", "compiled for several places already", "one call")
            )
        self._shared = share_vars_from
        if build_strategy is not None:
            self._build_strategy = _checked("with_data_parallel", build_strategy, BuildStrategy)
            _draw(self._program, self._build_strategy)
        execution = _checked("with_data_parallel", exec_strategy, ExecutionStrategy)
        self._parallel = DataParallel(self._program, loss_name, self._build_strategy, execution, _places(places))
        return self

    def _compile(self, scope: Scope, place: Any) -> CompiledProgram:
        """Check that it can run with a Scope on a place; Plans are compiled when it runs.

        Raises:
            ArgumentValueError: it was compiled for another Scope or place, or what it shares parameters with has not run.
        """
        if self._compiled_for is not None:
            for what, new, old in zip(("scope", "place"), (scope, place), self._compiled_for, strict=True):
                if new is not old and new != old:
                    needs = "the one of the first call"
                    raise ArgumentValueError(message("CompiledProgram._compile", what, describe(new), needs))
        self._check_sharing()
        self._compiled_for, self._ran = (scope, place), True
        return self

    def _check_sharing(self) -> None:
        """Raise unless `share_vars_from` works on several places and has run."""
        if self._shared is None:
            return
        where = "with_data_parallel"
        if self._shared._parallel is None:
            needs = "a CompiledProgram that with_data_parallel was called on"
            raise ArgumentValueError(message(where, "share_vars_from", "one for a single place", needs))
        if not self._shared._ran:
            raise ArgumentValueError(
                message(where, "share_vars_from", "one that has not run", "one that has run before")
            )

    def run_by(
        self,
        executor: Executor,
        feed: Any,
        fetch_list: Any,
        scope: Scope,
        return_numpy: bool,
        return_merged: bool,
        use_prune: bool = False,
    ) -> list[Any] | None:
        """Implement `Executor.run` for a CompiledProgram."""
        if self._predictor is not None:
            return self._predictor.run(feed)
        program = self._as_made()
        if self._parallel is None:
            selection = self.pass_selection
            return executor.run_program(program, feed, fetch_list, scope, return_numpy, use_prune, selection)
        self._check_sharing()
        self._ran = True
        updates, fetch_list = split_updates(fetch_list)
        names = fetch_names(program, fetch_list)
        if self._parallel.dry:
            return [None] * len(names)
        parallel = self._of(program, self._parallel)
        if use_prune or updates:
            fed = dict.fromkeys(
                name for part in (feed if isinstance(feed, (list, tuple)) else [feed or {}]) for name in part
            )
            parallel = self._of(executor.part(program, fed, names, updates), parallel)
        results = parallel.run(executor, feed, names, scope, return_merged)
        if return_merged:
            return [to_result(value, lod, return_numpy) for value, lod in results]
        return [[to_result(value, lod, return_numpy) for value, lod in of_place] for of_place in results]

    def _of(self, program: Program, parallel: DataParallel) -> DataParallel:
        """Return what runs a Program, which may be a part or a copy of `parallel`'s, on the places of `parallel`."""
        if program is parallel.program:
            return parallel
        if program not in self._parts:
            self._parts[program] = parallel.of(program)
        return self._parts[program]

    def __repr__(self) -> str:
        places = "" if self._parallel is None else f" on {self._parallel.count} places"
        return f"<CompiledProgram{places} of {len(self._operators)} operators>"


class ParallelExecutor:
    """Runs one Program on several places at once; the predecessor of CompiledProgram in Fluid 1.x.

    Arguments:
        use_cuda: whether to use GPUs rather than CPUs.
        loss_name: the name of the loss; needed for training.
        main_program: the Program; None means the default main Program.
        share_vars_from: another ParallelExecutor with the same parameters.
        exec_strategy, build_strategy: options.
        num_trainers, trainer_id: the number of processes that train together, and the index of this one. Each computes the
            gradients of its own feed; all use their mean.
        scope: the Scope with the parameters; None means `fluid.global_scope()`.
    """

    def __init__(
        self,
        use_cuda: bool,
        loss_name: str | None = None,
        main_program: Program | None = None,
        share_vars_from: ParallelExecutor | None = None,
        exec_strategy: ExecutionStrategy | None = None,
        build_strategy: BuildStrategy | None = None,
        num_trainers: int = 1,
        trainer_id: int = 0,
        scope: Scope | None = None,
    ) -> None:
        if num_trainers < 1 or not 0 <= trainer_id < num_trainers:
            needs = f"0 to {num_trainers - 1}, and one or more trainers"
            raise ArgumentValueError(message("ParallelExecutor", "trainer_id", trainer_id, needs))
        if num_trainers > 1:
            build_strategy = BuildStrategy() if build_strategy is None else build_strategy
            build_strategy.num_trainers, build_strategy.trainer_id = num_trainers, trainer_id
        self._scope = scopes.global_scope() if scope is None else scope
        self._executor = Executor(CUDAPlace(0) if use_cuda else CPUPlace())
        program = programs.default_main_program() if main_program is None else main_program
        places = cuda_places() if use_cuda else None
        self._compiled = CompiledProgram(program).with_data_parallel(
            loss_name, build_strategy, exec_strategy, None, places
        )

    @property
    def device_count(self) -> int:
        """The number of places."""
        assert self._compiled._parallel is not None
        return self._compiled._parallel.count

    def run(
        self, fetch_list: Sequence[Any], feed: Any = None, feed_dict: Any = None, return_numpy: bool = True
    ) -> list[Any] | None:
        """Run once.

        Arguments:
            fetch_list: the Variables to return, or their names; the results of all places are concatenated.
            feed: a dict, whose arrays are divided among the places, or a list of dicts, one for each place.
            feed_dict: an alias of `feed`.
            return_numpy: whether to return ndarrays rather than LoDTensors.
        """
        given = feed if feed is not None else feed_dict
        return self._executor.run(self._compiled, given, fetch_list, scope=self._scope, return_numpy=return_numpy)

    def drop_local_exe_scopes(self) -> None:
        """Do nothing: only parameters are kept between runs."""


def _places(places: Any) -> list[Any] | None:
    if places is None:
        return None
    if isinstance(places, int) and not isinstance(places, bool) and places > 0:
        return cpu_places(places)
    if isinstance(places, Place):
        return [places]
    if not isinstance(places, (list, tuple)) or not places:
        raise ArgumentTypeError(message("with_data_parallel", "places", describe(places), "a place, or a list of them"))
    if len({type(p) for p in places}) > 1:
        raise ArgumentValueError(message("with_data_parallel", "places", f"{list(places)}", "places of one kind"))
    return list(places)


def _checked(where: str, value: Any, kind: type) -> Any:
    if value is None:
        return kind()
    if not isinstance(value, kind):
        raise ArgumentTypeError(message(where, kind.__name__, describe(value), f"a fluid.{kind.__name__}"))
    return value


def _with_operators(program: Program, operators: list[Operator]) -> Program:
    """Return a copy of a Program whose first block has these operators, without what only others write."""
    result = copy_program(program, lambda op: True, operators)
    known = {name for op in result.all_ops() for name in (*op.input_arg_names, *op.output_arg_names)}
    for op in set(program.global_block().ops).difference(operators):
        for name in set(op.output_arg_names).difference(known):
            result.global_block().vars.pop(name, None)
    return result


def _draw(program: Program, strategy: BuildStrategy) -> None:
    if strategy.debug_graphviz_path:
        from ..program.drawing import draw_program

        draw_program(program, f"{strategy.debug_graphviz_path}_original_graph")
