"""The entry of a kernel: a C function that Python calls (METH_FASTCALL), which checks its arguments and unpacks them.

The entry accepts exactly the arguments that the kernel was compiled for: the class of each object, and an array's dtype,
rank, contiguity, alignment and writeability, are compared in the objects themselves. Anything else is passed on to the
next callable of the kernel, which is the entry for other types or, in the end, the function that compiles a new one.

The GIL is released while a kernel runs, unless all its arrays are small.

The entry of a kernel with the option `shared` also accepts some integers behind the arguments, and has the threads of a team
compute parts of the call then (`sharing.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..object_layout import DATA_AT, DIMS_AT, DTYPE_AT, FLAGS_AT, ITEMS_AT, LENGTH_AT, RANK_AT, TYPE_AT
from ..team_words import THREADS_AT, TRAILING
from .arithmetic import Emitter
from .errors import Unsupported
from .module import Module
from .sharing import add_team, part_text
from .types import BOOL, F8, I8, NONE, Array, Known, Number, Tuple, describe, parts_of
from .values import Value, split_tuple

__all__ = ["module_text"]

SMALL = 4096  # elements of all arrays; releasing the GIL costs as much as a pass over some hundred
C_CONTIGUOUS, ALIGNED, WRITEABLE = 0x1, 0x100, 0x400


def module_text(python: Any, options: dict[str, Any], types: Sequence[Any], symbol: str, bounds_checks: bool) -> str:
    """Return the LLVM module of a kernel for arguments of these types; `symbol` is the name of its entry."""
    module = Module(bounds_checks)
    entry = _Entry(module, symbol, bool(options.get("shared")))
    arguments = [_named(type, f"p{k}.") for k, type in enumerate(types)]
    kernel = module.function(
        python, options, arguments, "noinline"
    )  # inlined, it would stand there with and without the GIL
    return module.text(entry.finished(kernel, types))


def _named(type: Any, stem: str) -> Value:
    return Value(type, tuple(f"%{stem}{k}" for k in range(len(parts_of(type)))))


class _Entry(Emitter):
    """Writes the entry of a kernel."""

    def __init__(self, module: Module, symbol: str, shared: bool) -> None:
        super().__init__(module.declarations, "")
        self.module, self.symbol, self.shared = module, symbol, shared
        self.used: set[str] = set()

    def finished(self, kernel: Any, types: Sequence[Any]) -> str:
        """Return the text of the entry."""
        text = self.text
        text.entry.append("  %failure = alloca ptr")
        text.entry.append("  store ptr null, ptr %failure")
        text.block("check")
        fits, by_team = text.set(f"icmp eq i64 %n, {len(types)}"), ""
        if self.shared:
            by_team = text.set(f"icmp eq i64 %n, {len(types) + TRAILING}")
            fits = text.set(f"or i1 {fits}, {by_team}")
        self._require(fits)
        objects = []
        for k, type in enumerate(types):
            objects.append(text.set(f"load ptr, ptr {self._field('%args', 8 * k)}"))
            self._check(objects[-1], type)
        given = [value for object, type in zip(objects, types, strict=True) for value in self._unpacked(object, type)]
        part = self._share(kernel, given, types, by_team) if self.shared else ""
        result = self._run(kernel, given, types)
        text.end(f"ret ptr {result}")
        text.block("other")
        other = self.call(
            "ptr", "PyObject_VectorcallDict", [("ptr", "%self"), ("ptr", "%args"), ("i64", "%n"), ("ptr", "null")]
        )
        text.end(f"ret ptr {other}")
        externals = [f'@"{name}" = external global i8' for name in sorted(self.used)]
        head = f"define ptr @{self.symbol}(ptr %self, ptr %args, i64 %n) nounwind {{"
        return "\n".join([*externals, head, "start:", *text.entry, "  br label %check", *text.lines[1:], "}", part])

    def _object(self, name: str) -> str:
        self.used.add(name)
        return f'@"{name}"'

    def _field(self, object: str, offset: int) -> str:
        """Return the address of a field of an object."""
        return self.text.set(f"getelementptr i8, ptr {object}, i64 {offset}")

    def _load(self, word: str, object: str, offset: int) -> str:
        return self.text.set(f"load {word}, ptr {self._field(object, offset)}")

    def _require(self, test: str) -> None:
        """Pass the call on unless a test holds."""
        fine = self.text.name("fine")
        self.text.branch(test, fine, "other")
        self.text.block(fine)

    # --- arguments --------------------------------------------------------------------------------------------------------

    def _check(self, object: str, type: Any) -> None:
        """Check that an object is of the type that the kernel takes."""
        if type == NONE:
            self._require(self.text.set(f"icmp eq ptr {object}, {self._object('python.None')}"))
            return
        kind = self._load("ptr", object, TYPE_AT)
        if isinstance(type, Number):
            names = [
                f"numpy.{type.code}",
                *{I8: ["python.int"], F8: ["python.float"], BOOL: ["python.bool"]}.get(type, []),
            ]
            tests = [self.text.set(f"icmp eq ptr {kind}, {self._object(name)}") for name in names]
            self._require(tests[0] if len(tests) == 1 else self.text.set(f"or i1 {tests[0]}, {tests[1]}"))
        elif isinstance(type, Tuple):
            self._require(self.text.set(f"icmp eq ptr {kind}, {self._object('python.tuple')}"))
            size = self._load("i64", object, LENGTH_AT)
            self._require(self.text.set(f"icmp eq i64 {size}, {len(type.items)}"))
            for k, item in enumerate(type.items):
                self._check(self._load("ptr", object, ITEMS_AT + 8 * k), item)
        elif isinstance(type, Array):
            self._check_array(object, kind, type)
        else:
            raise Unsupported(f"an argument that is {describe(type)}")

    def _check_array(self, object: str, kind: str, type: Array) -> None:
        """Check class, dtype, rank and flags of an array."""
        self._require(self.text.set(f"icmp eq ptr {kind}, {self._object('numpy.ndarray')}"))
        dtype = self._load("ptr", object, DTYPE_AT)
        right = [self.text.set(f"icmp eq ptr {dtype}, {self._object(f'numpy.dtype.{type.element.code}')}")]
        right.append(self.text.set(f"icmp eq i32 {self._load('i32', object, RANK_AT)}, {type.rank}"))
        wanted = ALIGNED | (C_CONTIGUOUS if type.layout == "C" else 0) | (WRITEABLE if type.mutable else 0)
        flags = self.text.set(f"and i32 {self._load('i32', object, FLAGS_AT)}, {C_CONTIGUOUS | ALIGNED | WRITEABLE}")
        right.append(self.text.set(f"icmp eq i32 {flags}, {wanted}"))
        both = self.text.set(f"and i1 {right[0]}, {right[1]}")
        self._require(self.text.set(f"and i1 {both}, {right[2]}"))

    def _unpacked(self, object: str, type: Any) -> list[tuple[str, str]]:
        """Return LLVM types and values of the parts of an argument."""
        if isinstance(type, Known):
            return []
        if isinstance(type, Tuple):
            items = [self._load("ptr", object, ITEMS_AT + 8 * k) for k in range(len(type.items))]
            return [part for item, each in zip(items, type.items, strict=True) for part in self._unpacked(item, each)]
        if isinstance(type, Number):
            return [(type.word, self._number(object, type))]
        found = [("ptr", self._load("ptr", object, DATA_AT))]
        tables = [DIMS_AT] if type.layout == "C" else [DIMS_AT, DIMS_AT + 8]
        for table in tables:
            start = self._load("ptr", object, table)
            found += [("i64", self._load("i64", start, 8 * d)) for d in range(type.rank)]
        return found

    def _number(self, object: str, type: Number) -> str:
        """Return the value of a number; NumPy's and Python's floats keep it at the same place, Python's integers do not."""
        if type == BOOL:
            return self._truth(object)
        if type != I8:
            return self._load(type.stored, object, DATA_AT)
        slot = self.text.slot("i64")
        plain, own, after = (self.text.name(stem) for stem in ("plain", "own", "after"))
        kind = self._load("ptr", object, TYPE_AT)
        self.text.branch(self.text.set(f"icmp eq ptr {kind}, {self._object('python.int')}"), plain, own)
        self.text.block(plain)
        number = self.call("i64", "PyLong_AsLongLong", [("ptr", object)])
        self.text.do(f"store i64 {number}, ptr {slot}")
        doubt, failed = self.text.name("doubt"), self.text.name("failed")
        self.text.branch(self.text.set(f"icmp eq i64 {number}, -1"), doubt, after)
        self.text.block(doubt)
        error = self.call("ptr", "PyErr_Occurred", [])
        self.text.branch(self.text.set(f"icmp eq ptr {error}, null"), after, failed)
        self.text.block(failed)
        self.text.end("ret ptr null")
        self.text.block(own)
        self.text.do(f"store i64 {self._load('i64', object, DATA_AT)}, ptr {slot}")
        self.text.block(after)
        return self.text.set(f"load i64, ptr {slot}")

    def _truth(self, object: str) -> str:
        """Return a truth value: Python's is one of two objects, NumPy's holds a byte."""
        kind = self._load("ptr", object, TYPE_AT)
        plain = self.text.set(f"icmp eq ptr {kind}, {self._object('python.bool')}")
        true = self.text.set(f"icmp eq ptr {object}, {self._object('python.True')}")
        held = self.text.set(f"trunc i8 {self._load('i8', object, DATA_AT)} to i1")
        return self.text.set(f"select i1 {plain}, i1 {true}, i1 {held}")

    # --- the call ---------------------------------------------------------------------------------------------------------

    def _run(self, kernel: Any, given: list[tuple[str, str]], types: Sequence[Any]) -> str:
        """Call the kernel, without the GIL if it may take long; return the Python object of its result."""
        text, arguments = self.text, ", ".join(["ptr %failure", *(f"{word} {ref}" for word, ref in given)])
        work = self._work(given, types)
        thread = text.slot("ptr", "null")
        release, run, restore, done = (text.name(stem) for stem in ("release", "run", "restore", "done"))
        text.branch(work, release, run)
        text.block(release)
        text.do(f"store ptr {self.call('ptr', 'PyEval_SaveThread', [])}, ptr {thread}")
        text.block(run)
        call = f"call {kernel.word} @{kernel.name}({arguments})"
        result = "" if kernel.word == "void" else text.set(call)
        if not result:
            text.do(call)
        text.branch(work, restore, done)
        text.block(restore)
        self.call("void", "PyEval_RestoreThread", [("ptr", text.set(f"load ptr, ptr {thread}"))])
        text.block(done)
        if kernel.fails:
            self._raise_failure()
        return self._packed(kernel.result, kernel.word, result)

    def _share(self, kernel: Any, given: list[tuple[str, str]], types: Sequence[Any], by_team: str) -> str:
        """Have a team compute parts of the call, if it is a shared one; return the text of the function that computes a part."""
        text = self.text
        together, alone = text.name("together"), text.name("alone")
        text.branch(by_team, together, alone)
        text.block(together)
        team, masks, length, parts = (
            self.call("i64", "PyLong_AsLongLong", [("ptr", self._load("ptr", "%args", 8 * (len(types) + k)))])
            for k in range(TRAILING)
        )
        add_team(self.module)
        address = text.set(f"inttoptr i64 {team} to ptr")
        fields = [("ptr", "null"), ("i64", masks), ("i64", self._load("i64", address, 8 * THREADS_AT)), *given]
        packet = f"{{ {', '.join(word for word, _ in fields)} }}"
        place = text.slot(packet)
        for k, (word, ref) in enumerate(fields):
            text.do(f"store {word} {ref}, ptr {text.set(f'getelementptr {packet}, ptr {place}, i32 0, i32 {k}')}")
        thread = self.call("ptr", "PyEval_SaveThread", [])
        text.do(f"call void @team.run(ptr {address}, ptr @kernel.part, ptr {place}, i64 {length}, i64 {parts})")
        self.call("void", "PyEval_RestoreThread", [("ptr", thread)])
        if kernel.fails:
            text.do(f"store ptr {text.set(f'load ptr, ptr {place}')}, ptr %failure")
            self._raise_failure()
        text.end(f"ret ptr {self._packed(NONE, '', '')}")
        text.block(alone)
        return part_text(self.module, kernel, types, packet, given)

    def _work(self, given: list[tuple[str, str]], types: Sequence[Any]) -> str:
        """Return whether the arrays are large, or the kernel reads others through addresses."""
        if self.module.reads_objects:
            return "true"
        total, at = "0", 0
        for type in types:
            if isinstance(type, Array):
                count = "1"
                for _, size in given[at + 1 : at + 1 + type.rank]:
                    count = self.text.set(f"mul i64 {count}, {size}")
                total = self.text.set(f"add i64 {total}, {count}")
            at += len(parts_of(type))
        return self.text.set(f"icmp ugt i64 {total}, {SMALL}")

    def _raise_failure(self) -> None:
        """Raise the exception that the kernel has set."""
        failed, fine = self.text.name("failed"), self.text.name("fine")
        failure = self.text.set("load ptr, ptr %failure")
        self.text.branch(self.text.set(f"icmp eq ptr {failure}, null"), fine, failed)
        self.text.block(failed)
        error = self.text.set(f"load ptr, ptr {failure}")
        words = self._load("ptr", failure, 8)
        self.call("void", "PyErr_SetString", [("ptr", error), ("ptr", words)])
        self.text.end("ret ptr null")
        self.text.block(fine)

    def _packed(self, type: Any, word: str, result: str) -> str:
        """Return a new Python object of a result."""
        if type == NONE:
            none = self._object("python.None")
            self.call("void", "Py_IncRef", [("ptr", none)])
            return none
        refs = [result]
        if len(parts_of(type)) > 1:
            refs = [self.text.set(f"extractvalue {word} {result}, {k}") for k in range(len(parts_of(type)))]
        return self._object_of(Value(type, tuple(refs)))

    def _object_of(self, value: Value) -> str:
        """Return a new Python object of a number or a tuple."""
        type = value.type
        if type == NONE:
            return self._packed(NONE, "", "")
        if isinstance(type, Tuple):
            whole = self.call("ptr", "PyTuple_New", [("i64", str(len(type.items)))])
            for k, item in enumerate(split_tuple(value)):
                self.call("i32", "PyTuple_SetItem", [("ptr", whole), ("i64", str(k)), ("ptr", self._object_of(item))])
            return whole
        if not isinstance(type, Number):
            raise Unsupported(f"a kernel that returns {describe(type)}")
        if type.kind == "f":
            wide = value.ref if type == F8 else self.text.set(f"fpext {type.word} {value.ref} to double")
            return self.call("ptr", "PyFloat_FromDouble", [("double", wide)])
        wide = value.ref
        if type.bits < 64:
            wide = self.text.set(f"{'sext' if type.kind == 'i' else 'zext'} {type.word} {value.ref} to i64")
        if type == BOOL:
            return self.call("ptr", "PyBool_FromLong", [("i64", wide)])
        name = "PyLong_FromUnsignedLongLong" if type.kind == "u" else "PyLong_FromLongLong"
        return self.call("ptr", name, [("i64", wide)])
