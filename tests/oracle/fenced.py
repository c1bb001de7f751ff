"""Arrays of NumPy that end, or begin, at a page of memory that nobody may touch, so that a kernel that goes beyond ends the process.

What is not initialised is NaN, or -1. Linux only.
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

PAGE = mmap.PAGESIZE
POINTER, SIZE = ctypes.c_void_p, ctypes.c_size_t
SET_HANDLER = 304  # the place of PyDataMem_SetHandler in the table of NumPy's C functions
available = sys.platform == "linux"


class _Handler(ctypes.Structure):
    """NumPy's PyDataMem_Handler, version 1."""

    _fields_ = (
        ("name", ctypes.c_char * 127),
        ("version", ctypes.c_uint8),
        ("context", POINTER),
        ("malloc", ctypes.CFUNCTYPE(POINTER, POINTER, SIZE)),
        ("calloc", ctypes.CFUNCTYPE(POINTER, POINTER, SIZE, SIZE)),
        ("realloc", ctypes.CFUNCTYPE(POINTER, POINTER, POINTER, SIZE)),
        ("free", ctypes.CFUNCTYPE(None, POINTER, POINTER, SIZE)),
    )


class _Memory:
    """The blocks, each between two pages without access."""

    def __init__(self) -> None:
        self.at_end = True
        self.blocks: dict[int, tuple[int, int, int]] = {}  # address -> (start and length of the mapping, size)
        self.c = ctypes.CDLL(None)
        self.c.mmap.restype = POINTER
        self.c.mmap.argtypes = [POINTER, SIZE, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
        self.c.mprotect.argtypes = [POINTER, SIZE, ctypes.c_int]
        self.c.munmap.argtypes = [POINTER, SIZE]
        functions = [
            kind(f)
            for kind, f in zip((f[1] for f in _Handler._fields_[3:]), (self.get, self.zeros, self.resize, self.free))
        ]
        self.handler = _Handler(b"fenced", 1, None, *functions)
        self.name = ctypes.create_string_buffer(b"mem_handler")

    def get(self, _context: Any, size: int, fill: int = 0xFF) -> int:
        whole = -(-max(size, 1) // PAGE) * PAGE
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        start = self.c.mmap(None, whole + 2 * PAGE, mmap.PROT_READ | mmap.PROT_WRITE, flags, -1, 0)
        if start == POINTER(-1).value:
            return 0
        for fence in (start, start + PAGE + whole):
            self.c.mprotect(fence, PAGE, 0)
        if fill:
            ctypes.memset(start + PAGE, fill, whole)
        address = start + PAGE + (whole - size if self.at_end else 0)
        self.blocks[address] = start, whole + 2 * PAGE, size
        return address

    def zeros(self, _context: Any, count: int, size: int) -> int:
        return self.get(None, count * size, 0)

    def resize(self, _context: Any, address: int | None, size: int) -> int:
        new = self.get(None, size)
        if address and new:
            ctypes.memmove(new, address, min(size, self.blocks[address][2]))
            self.free(None, address, 0)
        return new

    def free(self, _context: Any, address: int | None, _size: int) -> None:
        if address:
            self.c.munmap(*self.blocks.pop(address)[:2])

    def set(self) -> Any:
        """Make it NumPy's memory; return the handler that was."""
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [POINTER, POINTER, POINTER]
        return _set_handler(new(ctypes.addressof(self.handler), ctypes.addressof(self.name), None))


def _set_handler(capsule: Any) -> Any:
    """Call NumPy's PyDataMem_SetHandler."""
    found = ctypes.pythonapi.PyCapsule_GetPointer
    found.restype, found.argtypes = POINTER, [ctypes.py_object, ctypes.c_char_p]
    table = ctypes.cast(found(np._core._multiarray_umath._ARRAY_API, None), ctypes.POINTER(POINTER))
    return ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(table[SET_HANDLER])(capsule)


_memory: list[_Memory] = []


@contextlib.contextmanager
def fenced(at_end: bool = True) -> Iterator[None]:
    """Arrays made here end at a fence, or begin at one. A process where some may be left has to end by os._exit()."""
    if not _memory:
        _memory.append(_Memory())
    _memory[0].at_end = at_end
    before = _memory[0].set()
    try:
        yield
    finally:
        _set_handler(before)
