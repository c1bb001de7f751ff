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

from ..team_words import THREADS_AT, TRAILING
from .arithmetic import Emitter
from .errors import Unsupported
from .machine import IN_VECTORS
from .module import Module
from .sharing import add_team, part_text
from .text import STRAIGHT
from .types import BOOL, F8, NONE, Number, Tuple, describe, parts_of
from .unpacking import FAILED, LARGE, OTHER, RECORD, UNPACK, records
from .values import Value, split_tuple

__all__ = ["module_text"]


def module_text(python: Any, options: dict[str, Any], types: Sequence[Any], symbol: str, bounds_checks: bool) -> str:
    """Return the LLVM module of a kernel for arguments of these types; `symbol` is the name of its entry."""
    module = Module(bounds_checks)
    entry = _Entry(module, symbol, bool(options.get("shared")))
    arguments = [_named(type, f"p{k}.") for k, type in enumerate(types)]
    kernel = module.function(
        python, options, arguments, "noinline"
    )  # inlined, it would stand there with and without the GIL
    return IN_VECTORS * bool(options.get("in_vectors")) + module.text(entry.finished(kernel, types))


def _named(type: Any, stem: str) -> Value:
    return Value(type, tuple(f"%{stem}{k}" for k in range(len(parts_of(type)))))


def _parts(type: Any) -> list[tuple[str, str]]:
    """Return LLVM's types of the parts of an argument, for its value and in memory, where a truth value occupies a byte."""
    if isinstance(type, Tuple):
        return [part for item in type.items for part in _parts(item)]
    return [(word, "i8" if word == "i1" else word) for word in parts_of(type)]


class _Entry(Emitter):
    """Writes the entry of a kernel."""

    def __init__(self, module: Module, symbol: str, shared: bool) -> None:
        super().__init__(module.declarations, "")
        self.module, self.symbol, self.shared = module, symbol, shared
        self.used: set[str] = set()

    def finished(self, kernel: Any, types: Sequence[Any]) -> str:
        """Return the text of the entry."""
        text = self.text
        wanted, parts = list(records(types)), [part for type in types for part in _parts(type)]
        text.entry += ["  %failure = alloca ptr", "  store ptr null, ptr %failure"]
        text.entry.append(f"  %words = alloca [{len(parts)} x i64]")
        text.block("check")
        count, by_team = "%n", ""
        if self.shared:
            by_team = text.set(f"icmp eq i64 %n, {len(types) + TRAILING}")
            count = text.set(f"select i1 {by_team}, i64 {len(types)}, i64 %n")
        table = [("ptr", "%args"), ("i64", count), ("i64", str(len(types))), ("ptr", "@records"), ("ptr", "%words")]
        verdict = self.call("i64", UNPACK, table)
        run, raised = text.name("run"), text.name("raised")
        text.end(f"switch i64 {verdict}, label %{run} [ i64 {OTHER}, label %other i64 {FAILED}, label %{raised} ]")
        text.block(raised)
        text.end("ret ptr null")
        text.block(run)
        work = "true" if self.module.reads_objects else text.set(f"icmp eq i64 {verdict}, {LARGE}")
        given = [self._given(k, part) for k, part in enumerate(parts)]
        part = self._share(kernel, given, types, by_team) if self.shared else ""
        result = self._run(kernel, given, work)
        text.end(f"ret ptr {self._packed(kernel.result, kernel.word, result)}")
        text.block("other")
        other = self.call(
            "ptr", "PyObject_VectorcallDict", [("ptr", "%self"), ("ptr", "%args"), ("i64", "%n"), ("ptr", "null")]
        )
        text.end(f"ret ptr {other}")
        self.used.update(name for record in wanted for name in (record.first, record.second) if name)
        externals = [f'@"{name}" = external global i8' for name in sorted(self.used)]
        constants = (
            f"@records = internal constant [{len(wanted)} x {RECORD}] [ {', '.join(each.text for each in wanted)} ]"
        )
        head = f"define ptr @{self.symbol}(ptr %self, ptr %args, i64 %n) {STRAIGHT} {{"
        return "\n".join(
            [*externals, constants, head, "start:", *text.entry, "  br label %check", *text.lines[1:], "}", part]
        )

    def _object(self, name: str) -> str:
        self.used.add(name)
        return f'@"{name}"'

    def _given(self, at: int, part: tuple[str, str]) -> tuple[str, str]:
        """Return LLVM's type and the value of an unpacked part of the arguments."""
        word, stored = part
        value = self._load(stored, "%words", 8 * at)
        return word, value if word == stored else self.text.set(f"trunc {stored} {value} to {word}")

    def _load(self, word: str, object: str, offset: int) -> str:
        """Return the value of a field of an object."""
        return self.text.set(f"load {word}, ptr {self.text.set(f'getelementptr i8, ptr {object}, i64 {offset}')}")

    # --- the call ---------------------------------------------------------------------------------------------------------

    def _run(self, kernel: Any, given: list[tuple[str, str]], work: str) -> str:
        """Call the kernel, without the GIL if it may take long, and raise its exception; return LLVM's value of its result."""
        text, arguments = self.text, ", ".join(["ptr %failure", *(f"{word} {ref}" for word, ref in given)])
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
        return result

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
