"""Calls of a kernel that several threads share without Python: the words of a team, who takes which part, and how threads wait.

A team is an array of 64-bit words (`kernels/team.py` makes it). Its first word holds the number of the job. The parts of a job are
divided among the threads, in the order of both, so that the same thread computes the same rows in one call after the other, and finds
them in its cache. Each thread has a word with the number of the job in its upper half, and in its lower half how many of its parts
nobody has begun; a thread that has begun all of its own takes those of the next one. Who lowers the number has a part, and may read the
words that describe the job: they stay as they are until all parts are done. So a thread that comes late, with the number of an
earlier job, takes nothing.

These functions are templates, since they consist of atomic operations, which kernels have no words for.
"""

from __future__ import annotations

import functools
import platform
from typing import TYPE_CHECKING, Any

from ..team_words import EACH, LEAVE_AT, OWN_AT, THREADS_AT, WORDS
from .arithmetic import Emitter, cast
from .errors import Unsupported
from .module import Module, Template
from .text import STRAIGHT
from .types import I8, NONE, Array, Number, parts_of
from .values import Value, is_array

if TYPE_CHECKING:
    from .functions import FunctionCompiler

__all__ = ["add_team", "call_serve", "part_text"]

EAGER = 4000  # looks at the parts that others still compute, before the waiting thread offers its core to others
_PAUSES = {"x86": ("llvm.x86.sse2.pause", ""), "arm": ("llvm.aarch64.hint", "i32 1")}
_FAMILIES = {"x86_64": "x86", "amd64": "x86", "aarch64": "arm", "arm64": "arm"}
_TEAM = f"""
define void @team.take(ptr %team, i64 %thread) nounwind {{{{
start:
  %threads.at = getelementptr i64, ptr %team, i64 {THREADS_AT}
  %parts.at = getelementptr i64, ptr %team, i64 8
  %length.at = getelementptr i64, ptr %team, i64 9
  %function.at = getelementptr i64, ptr %team, i64 10
  %packet.at = getelementptr i64, ptr %team, i64 11
  %done.at = getelementptr i64, ptr %team, i64 16
  %threads = load i64, ptr %threads.at
  br label %whose
whose:
  %visited = phi i64 [ 0, %start ], [ %more, %next ]
  %all = icmp eq i64 %visited, %threads
  br i1 %all, label %out, label %choose
choose:
  %beyond = add i64 %thread, %visited
  %whose.thread = urem i64 %beyond, %threads
  %words.before = mul i64 %whose.thread, {EACH}
  %word = add i64 %words.before, {WORDS}
  %left.at = getelementptr i64, ptr %team, i64 %word
  br label %look
look:
  %job = load atomic i64, ptr %left.at acquire, align 8
  %left = and i64 %job, 4294967295
  %none = icmp eq i64 %left, 0
  br i1 %none, label %next, label %try
try:
  %less = sub i64 %job, 1
  %pair = cmpxchg ptr %left.at, i64 %job, i64 %less acq_rel acquire
  %won = extractvalue {{{{ i64, i1 }}}} %pair, 1
  br i1 %won, label %part, label %look
part:
  %parts = load i64, ptr %parts.at
  %length = load i64, ptr %length.at
  %function = load ptr, ptr %function.at
  %packet = load ptr, ptr %packet.at
  %last.thread = add i64 %whose.thread, 1
  %parts.through = mul i64 %parts, %last.thread
  %parts.end = udiv i64 %parts.through, %threads
  %k = sub i64 %parts.end, %left
  %before = mul i64 %length, %k
  %begin = udiv i64 %before, %parts
  %through = add i64 %before, %length
  %end = udiv i64 %through, %parts
  call void %function(ptr %packet, i64 %begin, i64 %end, i64 %thread)
  %counted = atomicrmw add ptr %done.at, i64 1 release
  br label %look
next:
  %more = add i64 %visited, 1
  br label %whose
out:
  ret void
}}}}
define void @team.run(ptr %team, ptr %function, ptr %packet, i64 %length, i64 %parts) nounwind {{{{
start:
  %threads.at = getelementptr i64, ptr %team, i64 {THREADS_AT}
  %parts.at = getelementptr i64, ptr %team, i64 8
  %length.at = getelementptr i64, ptr %team, i64 9
  %function.at = getelementptr i64, ptr %team, i64 10
  %packet.at = getelementptr i64, ptr %team, i64 11
  %done.at = getelementptr i64, ptr %team, i64 16
  store i64 %parts, ptr %parts.at
  store i64 %length, ptr %length.at
  store ptr %function, ptr %function.at
  store ptr %packet, ptr %packet.at
  store atomic i64 0, ptr %done.at monotonic, align 8
  %threads = load i64, ptr %threads.at
  %last = load atomic i64, ptr %team monotonic, align 8
  %next = add i64 %last, 1
  %number = and i64 %next, 4294967295
  %upper = shl i64 %number, 32
  br label %give
give:
  %thread = phi i64 [ 0, %start ], [ %following, %give ]
  %from = phi i64 [ 0, %start ], [ %to, %give ]
  %following = add i64 %thread, 1
  %through = mul i64 %parts, %following
  %to = udiv i64 %through, %threads
  %some = sub i64 %to, %from
  %job = or i64 %upper, %some
  %words.before = mul i64 %thread, {EACH}
  %word = add i64 %words.before, {WORDS}
  %left.at = getelementptr i64, ptr %team, i64 %word
  store atomic i64 %job, ptr %left.at release, align 8
  %given = icmp eq i64 %following, %threads
  br i1 %given, label %begin, label %give
begin:
  store atomic i64 %number, ptr %team release, align 8
  call void @team.take(ptr %team, i64 0)
  br label %wait
wait:
  %looks = phi i64 [ 0, %begin ], [ %more, %pause ], [ %looks, %yield ]
  %done = load atomic i64, ptr %done.at acquire, align 8
  %all = icmp eq i64 %done, %parts
  br i1 %all, label %out, label %again
again:
  %eager = icmp ult i64 %looks, {{eager}}
  br i1 %eager, label %pause, label %yield
pause:
  {{pause}}
  %more = add i64 %looks, 1
  br label %wait
yield:
  %ignored = call i32 @thread.yield()
  br label %wait
out:
  ret void
}}}}
define void @team.serve(ptr %team, i64 %thread, i64 %most) nounwind {{{{
start:
  %leave.at = getelementptr i64, ptr %team, i64 {LEAVE_AT}
  br label %take
take:
  %number = load atomic i64, ptr %team acquire, align 8
  call void @team.take(ptr %team, i64 %thread)
  br label %look
look:
  %looks = phi i64 [ 0, %take ], [ %more, %pause ]
  %latest = load atomic i64, ptr %team acquire, align 8
  %same = icmp eq i64 %latest, %number
  br i1 %same, label %rest, label %take
rest:
  %leave = load atomic i64, ptr %leave.at monotonic, align 8
  %told = icmp ne i64 %leave, 0
  %tired = icmp uge i64 %looks, %most
  %end = or i1 %told, %tired
  br i1 %end, label %out, label %pause
pause:
  {{pause}}
  %more = add i64 %looks, 1
  br label %look
out:
  ret void
}}}}
"""


_DECLARED = (
    "declare void @team.run(ptr, ptr, ptr, i64, i64)",
    "declare void @team.serve(ptr, i64, i64)",
    "declare void @team.take(ptr, i64)",
)


def add_team(module: Module) -> None:
    """Add the functions of a team to a module."""
    name, given = _PAUSES.get(_FAMILIES.get(platform.machine().lower(), ""), ("", ""))
    needs = {"declare i32 @thread.yield()"} | ({f"declare void @{name}({given[:3]})"} if name else set())
    text = _TEAM.format(pause=f"call void @{name}({given})" if name else "", eager=EAGER)
    for k, line in enumerate(_DECLARED):
        module.template(line, functools.partial(Template, line, frozenset(needs), "" if k else text))


def call_serve(f: FunctionCompiler, team: Value, thread: Value, most: Value) -> Value:
    """Write a call that takes parts of the jobs of a team until none has come for a number of looks."""
    if not is_array(team):
        raise Unsupported("serve without the array of a team")
    add_team(f.module)
    f.module.reads_objects = True  # so that the GIL is released, however small the array is
    f.effects += 1
    numbers = ", ".join(f"i64 {cast(f, each, I8).ref}" for each in (thread, most))
    f.text.do(f"call void @team.serve(ptr {team.data}, {numbers})")
    return Value(NONE)


def part_text(module: Module, kernel: Any, types: Any, packet: str, given: list[tuple[str, str]]) -> str:
    """Return the function that computes a part of a call.

    Its arguments are in a packet: where a failure is noted, the masks, the number of threads, then those of the kernel. A range in
    the first two arguments becomes that of the part if no array is cut.

    Args:
        kernel, types: the kernel, and the types of its arguments.
        packet: LLVM's type of the packet.
        given: LLVM's types of the parts of the arguments, with references that are not used.
    """
    e = Emitter(module.declarations, "")
    text = e.text
    fields = [
        text.set(f"load {word}, ptr {text.set(f'getelementptr {packet}, ptr %packet, i32 0, i32 {k}')}")
        for k, word in enumerate(["ptr", "i64", "i64", *(word for word, _ in given)])
    ]
    masks, threads, parts = fields[1], fields[2], fields[3:]
    uncut = text.set(f"icmp eq i64 {text.set(f'and i64 {masks}, {(1 << OWN_AT) - 1}')}, 0")
    at = 0
    for k, type in enumerate(types):
        if k < 2 and type == I8:
            parts[at] = text.set(f"select i1 {uncut}, i64 {('%begin', '%end')[k]}, i64 {parts[at]}")
        elif isinstance(type, Array) and type.rank and k < OWN_AT - 1:
            _narrow(e, masks, threads, k, type, parts, at)
        at += len(parts_of(type))
    failure = text.set(f"getelementptr {packet}, ptr %packet, i32 0, i32 0")
    arguments = ", ".join([f"ptr {failure}", *(f"{w} {ref}" for (w, _), ref in zip(given, parts, strict=True))])
    text.do(f"call {kernel.word} @{kernel.name}({arguments})")
    text.end("ret void")
    head = f"define internal void @kernel.part(ptr %packet, i64 %begin, i64 %end, i64 %thread) {STRAIGHT} {{"
    return "\n".join([head, *text.entry, *text.lines, "}"])


def _narrow(e: Emitter, masks: str, threads: str, k: int, type: Array, parts: list[str], at: int) -> None:
    """Replace an array by its rows of the part if it is cut, or by the piece of the thread if each has one."""
    text, rank = e.text, type.rank
    data, rows = parts[at], parts[at + 1]
    assert isinstance(type.element, Number)
    if type.layout == "C":
        row = str(type.element.size)
        for size in parts[at + 2 : at + 1 + rank]:
            row = text.set(f"mul i64 {row}, {size}")
    else:
        row = parts[at + 1 + rank]
    cut, own = (text.set(f"trunc i64 {text.set(f'lshr i64 {masks}, {bit}')} to i1") for bit in (k, k + OWN_AT))
    piece = text.set(f"udiv i64 {rows}, {threads}")
    first = text.set(f"select i1 {cut}, i64 %begin, i64 0")
    first = text.set(f"select i1 {own}, i64 {text.set(f'mul i64 %thread, {piece}')}, i64 {first}")
    some = text.set(f"select i1 {cut}, i64 {text.set('sub i64 %end, %begin')}, i64 {rows}")
    parts[at + 1] = text.set(f"select i1 {own}, i64 {piece}, i64 {some}")
    parts[at] = text.set(f"getelementptr i8, ptr {data}, i64 {text.set(f'mul i64 {first}, {row}')}")
