"""The text of one LLVM function, written instruction by instruction.

Variables live in slots on the stack (`alloca`), which LLVM's first passes turn into registers: so the front end needs no
phi instructions. All slots are allocated at the start of the function, so that a loop never grows the stack.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["STRAIGHT", "FunctionText"]

STRAIGHT = "nounwind noinline optnone"
"""The attributes of a function without loops that hands arguments on: LLVM's passes would take longer than all its calls gain."""


class FunctionText:
    """The instructions of a function.

    Attributes:
        open: whether the current block still lacks its last instruction, so that code here can be reached.
    """

    def __init__(self) -> None:
        self.entry: list[str] = []
        self.lines: list[str] = []
        self.open = True
        self._names = 0

    def name(self, stem: str = "v") -> str:
        """Return a name that is new in the function."""
        self._names += 1
        return f"{stem}{self._names}"

    def set(self, instruction: str) -> str:
        """Add an instruction and return the name of its result."""
        name = "%" + self.name()
        self.do(f"{name} = {instruction}")
        return name

    def do(self, instruction: str) -> None:
        """Add an instruction without a result; nothing is added where code cannot be reached."""
        if self.open:
            self.lines.append("  " + instruction)

    def slot(self, word: str, start: str | None = None) -> str:
        """Return the address of a new slot for a value of an LLVM type; `start` is its value at the start of the function."""
        name = "%" + self.name("s")
        self.entry.append(f"  {name} = alloca {word}")
        if start is not None:
            self.entry.append(f"  store {word} {start}, ptr {name}")
        return name

    def block(self, label: str) -> None:
        """Begin a block; the block before it continues here if it is open."""
        if self.open:
            self.lines.append(f"  br label %{label}")
        self.lines.append(f"{label}:")
        self.open = True

    def jump(self, label: str) -> None:
        """End the block with a jump."""
        self.end(f"br label %{label}")

    def branch(self, test: str, yes: str, no: str) -> None:
        """End the block with a conditional jump."""
        self.end(f"br i1 {test}, label %{yes}, label %{no}")

    def end(self, instruction: str) -> None:
        """End the block with an instruction; code after it cannot be reached until the next `block`."""
        self.do(instruction)
        self.open = False

    @contextmanager
    def apart(self) -> Iterator[list[str]]:
        """Collect the lines of a block in a list of their own, to be added by `append`."""
        before, self.lines = self.lines, []
        try:
            yield self.lines
        finally:
            self.lines = before

    def mark(self) -> tuple[int, int, bool]:
        """Return what `take_back` needs to return to this point."""
        return len(self.lines), len(self.entry), self.open

    def take_back(self, mark: tuple[int, int, bool]) -> None:
        """Throw away what has been written since a mark, slots included."""
        lines, slots, self.open = mark
        del self.lines[lines:], self.entry[slots:]
