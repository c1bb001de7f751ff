"""From LLVM IR to functions that Python can call: passes, object code, loading.

Only `llvmlite.binding` is used, which is imported at the first kernel.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import importlib
import os
from collections.abc import Callable, Generator, Iterator
from typing import Any

from ...core.threads.cached import cached_property
from ..interruptible import WORKING, InterruptsLater, run_in_steps, run_to_end
from ..object_layout import require_known_layout
from .processor import binding, processor
from .signatures import OBJECTS

__all__ = ["FINAL", "IN_VECTORS", "Machine", "machine"]

IN_VECTORS = "; The functions below are in vectors already, so LLVM's passes only simplify them.\n"  # the first line of a module's text
FINAL = "; LLVM's passes leave the functions below as they are."  # a line of a module's text
LEVEL = 3  # of LLVM's passes, and of its code generation
_PYTHON = (
    "PyBool_FromLong", "PyErr_Clear", "PyErr_Occurred", "PyErr_SetString", "PyEval_RestoreThread", "PyEval_SaveThread",
    "PyFloat_FromDouble", "PyLong_AsLongLong", "PyLong_FromLongLong", "PyLong_FromUnsignedLongLong", "PyMem_RawFree",
    "PyMem_RawMalloc", "PyObject_VectorcallDict", "PyTuple_New", "PyTuple_SetItem", "Py_IncRef",
)  # fmt: skip  # functions of Python's C API that entries and kernels call
_METH_FASTCALL = 0x0080

# Where arrays may overlap, LLVM compares their address ranges before a vectorised loop. By default it hoists this check out of
# the enclosing loop over rows and compares the ranges of all rows together. Parts of the rows of one array, such as the gates
# of an LSTM, then seem to overlap, and the scalar loop runs instead of the vectorised one.
_OWN_CHECKS = "-hoist-runtime-checks=false"

# By default LLVM unrolls loops eight times whose trip count is not known. Hot loops are vectorised and interleaved without that.
# Unrolling the scalar loops that remain takes a sixth of the compile time, and no kernel that was measured runs faster.
_SHORT_LOOPS = "-unroll-runtime=false"

# Left out while machine code of ours is made, and only then, since LLVM's options are those of the process and Numba's code keeps
# them: the search for fewer address registers in loops (13 % of LLVM's work) and the second ordering of instructions (4 %).
# Neither changes a result. Without them most kernels that were measured run as fast or faster.
_LEFT_OUT = ("disable-lsr", "disable-post-ra")


class _MethodDefinition(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    ]


class Machine:
    """LLVM for the processor of `processor.py`.

    Attributes:
        target: a description of the processor, which object code depends on: triple, name, features.
        version: that of llvmlite.
    """

    def __init__(self) -> None:
        require_known_layout()
        self.llvm: Any = binding()
        self.version: str = importlib.import_module("llvmlite").__version__
        self.llvm.initialize_native_target()
        self.llvm.initialize_native_asmprinter()
        self.llvm.set_option("paddle_lite", _OWN_CHECKS)
        self.llvm.set_option("paddle_lite", _SHORT_LOOPS)
        triple = self.llvm.get_process_triple()
        self.target = (triple, processor().name, processor().features)
        self._addresses: dict[str, int] = {}  # of the entries that are loaded
        self._keep = ctypes.pythonapi["Py_IncRef"]  # a function of its own, whose argument types nobody else sets
        self._keep.argtypes, self._keep.restype = [ctypes.py_object], None
        self._new_function = ctypes.pythonapi.PyCFunction_NewEx
        self._new_function.restype = ctypes.py_object
        self._new_function.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
        self._add_symbols()

    def _add_symbols(self) -> None:
        """Make known to LLVM what kernels refer to: objects by their addresses, and functions of Python.

        Numba makes known exceptions, too: names of objects are therefore our own.
        """
        add = self.llvm.add_symbol
        for name, value in OBJECTS.items():
            add(name, id(value))
        yielding = ctypes.CDLL("kernel32").SwitchToThread if os.name == "nt" else ctypes.CDLL(None).sched_yield
        add("thread.yield", ctypes.cast(yielding, ctypes.c_void_p).value)
        for name in _PYTHON:
            add(name, ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value)

    @cached_property
    def _target_machine(self) -> Any:
        return self._new_target_machine()

    @cached_property
    def _engine(self) -> Any:
        """The engine of all kernels; it owns a target machine."""
        return self.llvm.create_mcjit_compiler(self.llvm.parse_assembly(""), self._new_target_machine())

    def _new_target_machine(self) -> Any:
        triple, name, features = self.target
        target = self.llvm.Target.from_triple(triple)
        return target.create_target_machine(
            opt=LEVEL, cpu=name, features=features, reloc="static", codemodel="jitdefault", jit=True
        )

    def parsed(self, text: str, context: Any = None) -> Any:
        """Return LLVM's module of a text, in a context of its own unless one is given; raise RuntimeError if it is malformed, which is a fault of the compiler."""
        module = self.llvm.parse_assembly(text, context)
        module.triple = self.target[0]
        module.data_layout = str(self._target_machine.target_data)
        module.verify()
        return module

    def optimize(self, module: Any, in_vectors: bool = False) -> None:
        """Run LLVM's passes on a module: all of them, or those that simplify functions that are in vectors already."""
        if in_vectors:
            self._simplify(module)
            return
        builder = self._pass_builder(LEVEL)
        builder.getModulePassManager().run(module, builder)

    def _simplify(self, module: Any) -> None:
        builder = self._pass_builder(1)
        inlining = self.llvm.create_new_module_pass_manager()
        inlining.add_always_inliner_pass()
        inlining.add_global_dead_code_eliminate_pass()
        inlining.run(module, builder)
        passes = builder.getFunctionPassManager()
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    def _pass_builder(self, level: int) -> Any:
        options = self.llvm.create_pipeline_tuning_options(speed_level=level)
        options.loop_vectorization = True
        options.slp_vectorization = False
        return self.llvm.create_pass_builder(self._target_machine, options)

    @contextlib.contextmanager
    def _own_code(self) -> Iterator[None]:
        """Leave out, for what is done inside, what our machine code does without."""
        with WORKING:  # held by every thread that compiles kernels of ours
            for name in _LEFT_OUT:
                self.llvm.set_option("paddle_lite", f"-{name}")
            try:
                yield
            finally:
                for name in _LEFT_OUT:
                    self.llvm.set_option("paddle_lite", f"-{name}=false")

    def _optimized(self, text: str) -> Generator[None, None, Any]:
        """Return the module of a text after LLVM's passes, in steps; functions after FINAL are added as they are."""
        passed, _, final = text.partition(FINAL)
        context = self.llvm.create_context()  # it is freed with the module, unlike the constants of the common one
        if not passed:
            return self.parsed(final, context)
        module = self.parsed(passed, context)
        yield
        self.optimize(module, text.startswith(IN_VECTORS))
        yield
        if final:
            added = self.parsed(final, context)
            names = [function.name for function in added.functions if not function.is_declaration]
            module.link_in(added)
            for name in names:
                module.get_function(name).linkage = "internal"
        return module

    def optimized(self, text: str) -> Any:
        """Return the module of a text after LLVM's passes, for reading."""
        return run_in_steps(self._optimized(text))

    def object_code(self, text: str) -> bytes:
        """Compile the text of a module to an object file."""

        def steps() -> Generator[None, None, bytes]:
            module = yield from self._optimized(text)
            with self._own_code():
                return self._target_machine.emit_object(module)

        return run_in_steps(steps())

    def assembly(self, text: str) -> str:
        """Return the assembly of a module, for reading."""
        module = self.optimized(text)
        with self._own_code():
            return self._target_machine.emit_assembly(module)

    def _loaded(self, code: bytes, symbol: str) -> int:
        """Return the address of a function of object code that is not loaded yet."""
        self._engine.add_object_file(self.llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        address = self._addresses[symbol] = self._engine.get_function_address(symbol)
        return address

    def define(self, code: bytes, symbol: str) -> None:
        """Load object code whose function kernels refer to by its symbol."""
        with InterruptsLater():
            self._loaded(code, symbol)

    def function(self, code: bytes, symbol: str, name: str, next: Callable[..., Any]) -> Callable[..., Any]:
        """Load object code and return its entry as a Python function; `next` is called with arguments that it refuses."""
        address = self._addresses.get(symbol)
        if address is None:  # two kernels with the same contents have the same symbol
            with InterruptsLater():
                address = self._loaded(code, symbol)
        definition = _MethodDefinition(name.encode(), address, _METH_FASTCALL, None)
        for kept in (definition, next, self._engine):  # never freed: functions may outlive this module as Python ends
            self._keep(kept)
        return self._new_function(ctypes.addressof(definition), next, None)


@functools.cache
def machine() -> Machine:
    """Return LLVM for this computer, set up at the first call."""
    return run_to_end(Machine)
