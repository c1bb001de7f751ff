"""NVRTC, NVIDIA's compiler from CUDA C, through ctypes: it needs neither a GPU nor CuPy."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from paddle_lite.kernels.gpu.device.prelude import PRELUDE

ARCHITECTURES = ("sm_70", "sm_80", "sm_90")
OPTIONS = ("-std=c++17", "--Ofast-compile=max")
"""Machine code is made, but not optimised: it is not run, and takes half the time."""


def _folder(package: str) -> Path | None:
    try:
        found = importlib.util.find_spec(f"nvidia.{package}")
    except ModuleNotFoundError:
        return None
    places = list(found.submodule_search_locations or []) if found else []
    return Path(places[0]) if places else None


@cache
def library() -> ctypes.CDLL | None:
    """Return the library; None where its wheel is not installed, as on macOS, for which there is none."""
    folder = _folder("cuda_nvrtc")
    if folder is None:
        return None
    if sys.platform == "win32":
        os.add_dll_directory(str(folder / "bin"))
    files = sorted([*folder.glob("lib/libnvrtc.so.*"), *folder.glob("bin/nvrtc64*.dll")])
    return ctypes.CDLL(str(next(file for file in files if "alt" not in file.name)))


def compile_cuda(source: str, architecture: str, options: tuple[str, ...] = OPTIONS) -> str:
    """Compile CUDA C for an architecture; return what the compiler says, "" if nothing.

    Raises:
        AssertionError: the source has an error; the text names the line.
    """
    nvrtc = library()
    assert nvrtc is not None
    program = ctypes.c_void_p()
    assert not nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"kernel.cu", 0, None, None)
    headers = _folder("cuda_runtime")
    given = [f"--gpu-architecture={architecture}", *options, *([f"-I{headers / 'include'}"] if headers else [])]
    texts = (ctypes.c_char_p * len(given))(*[each.encode() for each in given])
    failed = nvrtc.nvrtcCompileProgram(program, len(given), texts)
    size = ctypes.c_size_t()
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    said = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, said)
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    text = said.value.decode().strip()
    assert not failed, f"{text}\n{numbered(source)}"
    return text


def together(sources: Iterable[str]) -> str:
    """Return one source for several kernels, each in a namespace of its own: what is in front of kernels takes as long to compile as one."""
    headers: dict[str, None] = {}
    kernels = []
    for number, source in enumerate(sources):
        head, _, kernel = source.partition(PRELUDE)
        lines = head.splitlines(keepends=True)
        headers.update(dict.fromkeys(line for line in lines if line.startswith("#include")))
        types = "".join(line for line in lines if not line.startswith("#include"))
        kernels.append(f"namespace kernel_{number} {{\n{types}{kernel}}}\n")
    return "".join([*headers, PRELUDE, *kernels])


def resources(source: str, architecture: str) -> tuple[int, int, int]:
    """Return the registers of a thread, the bytes of shared memory of a block, and the bytes that a thread spills."""
    said = compile_cuda(source, architecture, ("-std=c++17", "--ptxas-options=-v"))
    found = [
        re.search(text, said) for text in (r"Used (\d+) registers", r"(\d+) bytes smem", r"(\d+) bytes spill stores")
    ]
    registers, shared, spilled = (int(each[1]) if each else 0 for each in found)
    return registers, shared, spilled


def numbered(source: str) -> str:
    """Return a source with the numbers of its lines."""
    return "\n".join(f"{number:4} {line}" for number, line in enumerate(source.splitlines(), 1))
