"""Program: the representation of a static computation, which an Executor runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ...core import seeds
from ...core.errors import ArgumentTypeError, describe, message
from ...core.threads.contexts import PerContext
from . import roles
from .block import Block
from .described import described_text, describers
from .operator import Operator
from .variable import Variable

if TYPE_CHECKING:
    from ..desc.program import ProgramDesc
    from .parts import Part


class Program:
    """A static computation: blocks of Variables and operators.

    Operators called inside `program_guard(program)` are appended to it; outside of any guard they are appended to
    `default_main_program()`, and the initialisation of their parameters to `default_startup_program()`.

    >>> import paddle_lite.fluid as fluid
    >>> program = fluid.Program()
    >>> with fluid.program_guard(program):
    ...     x = fluid.data('x', [None, 4], 'float32')
    ...     y = fluid.layers.mean(fluid.layers.relu(x))
    >>> [op.type for op in program.global_block().ops]
    ['relu', 'mean']
    """

    _first_seed = 0  # the random seed of new Programs
    _role = 0  # the role of operators that no guard gives another one
    _is_distributed = _is_chief = _enable_dgc = _use_lamb = _use_hierarchical_allreduce = (
        False  # set by jobs of processes
    )
    _hierarchical_allreduce_inter_nranks, _nccl_comm_num, _appending_grad_times = 0, 1, 0
    _distributed_lookup_table = _parameters_on_pservers = _ps_endpoint = None
    _fleet_opt = _pipeline_opt = _program_config = None
    file_version = 1008005  # the version of PaddlePaddle that a file of it is said to be from
    says_compatible = False  # whether its description has the table of static/desc/compatible.py

    def __init__(self) -> None:
        self.blocks: list[Block] = [Block(self, 0)]
        self.current_block_idx = 0
        self._seed = Program._first_seed
        self.changes = 0
        self._plans: dict[Any, Any] = {}
        self._sites: dict[Operator, Any] = {}  # the CallSite of each operator with effects; see Operator.site
        self._ragged: tuple[int, list[str]] = (-1, [])  # see feeding.lods_of
        self._endpoints: list[str] = []
        self._trainers_endpoints: list[str] = []
        self._readers: list[Any] = []  # loaders that feed every run; see feeding.Reader
        self._server_parts: dict[str, list[Part]] = {}  # what parameter servers hold of its variables
        self._before_run: Callable[[Any], None] | None = None  # called with the Scope before each run

    # --- changes and seeds --------------------------------------------------------------------------------------------

    def _changed(self) -> None:
        """Record a change, which invalidates the compiled Plans."""
        self.changes += 1

    def _version(self) -> int:
        return self.file_version

    @property
    def random_seed(self) -> int:
        """The seed of random operators without a seed of their own; 0 draws different numbers in each run.

        Operators read it when they are appended, so set it before building the Program.
        """
        return self._seed

    @random_seed.setter
    def random_seed(self, seed: int) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise ArgumentTypeError(message("Program.random_seed", "seed", repr(seed), "an int"))
        self._seed = seed
        _tell_seeds(self)

    def global_seed(self, seed: int = 0) -> None:
        """Set the seed of this Program, and of every Program that is created later.

        Arguments:
            seed: an int; 0 draws different numbers in each run.

        Raises:
            ArgumentTypeError: `seed` is not an int.

        >>> import paddle_lite.fluid as fluid
        >>> program = fluid.Program()
        >>> program.global_seed(7)
        >>> program.random_seed, fluid.Program().random_seed
        (7, 7)
        >>> program.global_seed()
        """
        self.random_seed = seed
        Program._first_seed = seed

    # --- blocks -------------------------------------------------------------------------------------------------------

    @property
    def num_blocks(self) -> int:
        """The number of blocks."""
        return len(self.blocks)

    def global_block(self) -> Block:
        """Return block 0."""
        return self.blocks[0]

    def block(self, index: int) -> Block:
        """Return the block with this index."""
        return self.blocks[index]

    def current_block(self) -> Block:
        """Return the block that operators are appended to."""
        return self.blocks[self.current_block_idx]

    def _create_block(self, parent_idx: int | None = None) -> Block:
        """Open a nested block of the current one."""
        parent = self.current_block_idx if parent_idx is None else parent_idx
        self.blocks.append(Block(self, len(self.blocks), parent))
        self.current_block_idx = len(self.blocks) - 1
        self._changed()
        return self.current_block()

    def _rollback(self) -> None:
        """Close the current block."""
        self.current_block_idx = self.current_block().parent_idx

    # --- contents and copies ------------------------------------------------------------------------------------------

    def list_vars(self) -> Iterator[Variable]:
        """Yield the Variables of all blocks."""
        for block in self.blocks:
            yield from block.vars.values()

    def all_parameters(self) -> list[Any]:
        """Return the Parameters of all blocks."""
        return [v for v in self.list_vars() if v.is_parameter]

    def all_ops(self) -> Iterator[Operator]:
        """Yield the operators of all blocks."""
        for block in self.blocks:
            yield from block.ops

    def clone(self, for_test: bool = False) -> Program:
        """Return a copy of the Program.

        The copy has Parameters of the same names, so both Programs use the same values in a Scope.

        Arguments:
            for_test: whether to omit backward and optimizer operators, and to set `is_test` on operators that behave differently
                in tests, such as dropout and batch_norm. The clone can be taken before or after `minimize`. Before it, a schedule
                of learning rates that the Program has already belongs to the copy, too, and counts the runs of both, as in
                1.8.5; `fluid.gradients` is not omitted without a `minimize`.
        """
        from .cloning import clone

        return clone(self, for_test)

    def _prune(self, targets: Any, feeded_var_names: Any = ()) -> Program:
        """Return a copy with only the operators that the targets need."""
        from .cloning import prune

        return prune(self, targets, feeded_var_names)

    def _prune_with_input(self, feeded_var_names: Any, targets: Any) -> Program:
        """Return a copy with only the operators that the targets need, without those that compute what is fed.

        Arguments:
            feeded_var_names: a list of the names of Variables that will be fed, or one name.
            targets: Variables, their names, or operators; a list or one of them.

        Raises:
            ArgumentTypeError: a name is not a string, or a target is something else.
            ArgumentValueError: a target is not a Variable of the first block.
        """
        names = list(feeded_var_names) if isinstance(feeded_var_names, (list, tuple)) else [feeded_var_names]
        for name in names:
            if not isinstance(name, str):
                where = "Program._prune_with_input"
                raise ArgumentTypeError(message(where, "feeded_var_names", describe(name), "names of Variables"))
        return self._prune(targets, names)

    def _inference_optimize(self, prune_read_op: bool = True) -> Program:
        """Return a copy whose operators work as in tests, those of the backward pass as well.

        Arguments:
            prune_read_op: whether to leave out the loaders that feed it.
        """
        from .cloning import clone, for_tests

        result = for_tests(clone(self, for_test=False))
        result._readers = [] if prune_read_op else result._readers
        return result

    def _copy_param_info_from(self, other: Program) -> None:
        """Make those Variables Parameters that are Parameters of another Program.

        Raises:
            ArgumentTypeError: `other` is not a Program.
            MissingVariableError: a Parameter of it is not a Variable of this one.
        """
        from .inherited import take_parameters

        take_parameters(self, other, "Program._copy_param_info_from")

    def _copy_data_info_from(self, other: Program) -> None:
        """Set of each Variable whether it is data, and whether gradients stop at it, as in another Program.

        Raises:
            ArgumentTypeError: `other` is not a Program.
            ArgumentValueError: it has other blocks.
            MissingVariableError: a Variable of it is not one of this Program.
        """
        from .inherited import take_data

        take_data(self, other, "Program._copy_data_info_from")

    def _copy_dist_param_info_from(self, other: Program) -> None:
        """Take over how a Program divides its parameters among servers.

        Raises:
            ArgumentTypeError: `other` is not a Program.
        """
        check_program("Program._copy_dist_param_info_from", other, "other")
        for name in ("_is_distributed", "_is_chief", "_parameters_on_pservers", "_endpoints", "_ps_endpoint"):
            setattr(self, name, getattr(other, name))
        self._distributed_lookup_table = other._distributed_lookup_table

    # --- roles --------------------------------------------------------------------------------------------------------

    @property
    def _op_role(self) -> int:
        """The role of the operators that are appended next; one that is set stays until another one is set."""
        role = roles.current().role or self._role
        return roles.OpRole(role) if role in roles.OpRole._value2member_map_ else role

    @_op_role.setter
    def _op_role(self, role: int) -> None:
        self._role = int(role)

    _current_role = _op_role

    @property
    def _op_role_var(self) -> list[str]:
        """The parameter and the gradient that the operators that are appended next belong to."""
        return list(roles.current().variables)

    @contextmanager
    def _optimized_guard(self, param_and_grads: Any) -> Iterator[None]:
        """Mark operators inside the block as updates of this parameter."""
        names = tuple(v if isinstance(v, str) else v.name for v in param_and_grads if v is not None)
        with roles.role(roles.OpRole.Optimize, names):
            yield

    @contextmanager
    def _lr_schedule_guard(self, is_with_opt: bool = False) -> Iterator[None]:
        """Mark operators inside the block as computing the learning rate."""
        with roles.role(roles.OpRole.LRSched | (roles.OpRole.Optimize if is_with_opt else 0)):
            yield

    @contextmanager
    def _backward_role_guard(self) -> Iterator[None]:
        """Mark operators inside the block as computing gradients."""
        with roles.role(roles.OpRole.Backward):
            yield

    # --- serialisation and text ---------------------------------------------------------------------------------------

    @property
    def desc(self) -> ProgramDesc:
        """Its description, a ProgramDesc: a view, whose `serialize_to_string()` returns the bytes of a `__model__` file."""
        found: ProgramDesc = describers["program"](self)
        return found

    def _sync_with_cpp(self) -> None:
        """Do nothing: the description of a Program is a view of it."""

    @staticmethod
    def parse_from_string(binary_str: bytes) -> Program:
        """Return the Program from bytes that `desc.serialize_to_string()` returned, in this library or PaddlePaddle.

        Raises:
            FileFormatError: the bytes are not those of a Program.
        """
        from ..proto.serialise import from_bytes

        return from_bytes(binary_str)

    @staticmethod
    def _construct_from_desc(desc: ProgramDesc) -> Program:
        """Return a copy of the Program that a description shows."""
        return desc.of.clone()

    def _get_desc(self) -> ProgramDesc:
        return self.desc

    def lint(self) -> list[str]:
        """Return one sentence for each inconsistency of the Program; [] if there is none."""
        from .lint import lint

        return lint(self)

    def to_string(self, throw_on_error: bool = False, with_details: bool = False) -> str:
        """Return the Program as its file holds it, as protobuf's text; `print` shows one line for each operator.

        Arguments:
            throw_on_error: accepted for Fluid code, ignored.
            with_details: whether to add what no file holds of Variables, such as `stop_gradient`.

        Raises:
            ArgumentTypeError: an argument is not a bool.
        """
        return described_text("program", self, throw_on_error, with_details)

    def __repr__(self) -> str:
        from .printing import program_text

        return program_text(self)

    __str__ = __repr__

    def _repr_html_(self) -> str:
        from .printing import program_html

        return program_html(self)

    def __deepcopy__(self, memo: Any) -> Program:
        return self.clone()


_main: PerContext[Program] = PerContext("default main Program", Program(), inherited=False)
_startup: PerContext[Program] = PerContext("default startup Program", Program(), inherited=False)


def check_program(where: str, program: Any, name: str = "program") -> Program:
    """Return an argument that is a Program; raise for anything else.

    Raises:
        ArgumentTypeError: it is no Program.
    """
    if not isinstance(program, Program):
        raise ArgumentTypeError(message(where, name, describe(program), "a fluid.Program"))
    return program


def default_main_program() -> Program:
    """Return the default main Program, which operators are appended to."""
    return _main.get()


def default_startup_program() -> Program:
    """Return the default startup Program, which initialisation operators are appended to."""
    return _startup.get()


def switch_main_program(program: Program) -> Program:
    """Return the default main Program, after setting another one: inside of a guard for that, else for the process."""
    before = _main.set(program)
    _tell_seeds(program)
    return before


def switch_startup_program(program: Program) -> Program:
    """Return the default startup Program, after setting another one: inside of a guard for that, else for the process."""
    before = _startup.set(program)
    _tell_seeds(program)
    return before


@contextmanager
def program_guard(main_program: Program, startup_program: Program | None = None) -> Iterator[None]:
    """Append operators inside the block to `main_program`, and initialisation operators to `startup_program`.

    It holds in this thread, or task of asyncio, only.

    Arguments:
        main_program: a Program.
        startup_program: a Program; None keeps the default one.

    Returns:
        A context manager.

    Raises:
        ArgumentTypeError: an argument is not a Program.

    >>> import paddle_lite.fluid as fluid
    >>> main, startup = fluid.Program(), fluid.Program()
    >>> with fluid.program_guard(main, startup):
    ...     fluid.default_main_program() is main
    True
    """
    for name, program in (("main_program", main_program), ("startup_program", startup_program)):
        if program is not None or name == "main_program":
            check_program("program_guard", program, name)
    startup = _startup.get() if startup_program is None else startup_program
    around = [(program, program._seed) for program in (_main.get(), _startup.get())]
    try:
        with (
            _main.replaced(main_program),
            _startup.replaced(startup),
            seeds.own_seeds(main_program._seed, startup._seed),
        ):
            yield
    finally:
        for program, seed in around:
            if program._seed != seed:  # it was set inside of the block
                _tell_seeds(program)


def first_seed() -> int:
    """Return the random seed of new Programs, which `Program.global_seed` sets."""
    return Program._first_seed


def _tell_seeds(program: Program) -> None:
    """Copy the seed of a Program to core.seeds, which imperative mode reads too, if it is a default Program."""
    told = seeds.current()
    if program is _main.get():
        told.main = program._seed
    if program is _startup.get():
        told.startup = program._seed


@contextmanager
def _fresh_programs() -> Iterator[None]:
    with program_guard(Program(), Program()):
        yield


seeds.fresh_programs = _fresh_programs
