"""A process that has imported the library and forks children, as `tests/children.py` asks it to over a socket.

It is started as a script, with the number of the socket. A child runs its program where this script ends: it ends as Python does.
"""

from __future__ import annotations

import gc
import os
import pickle
import runpy
import socket
import struct
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

IMPORTED = {
    "paddle_lite.fluid": "Executor data dygraph.Linear optimizer.Adam initializer.Constant layers.fc layers.embedding layers.conv2d layers.relu"
    " layers.cross_entropy layers.mean layers.reduce_sum layers.elementwise_add layers.concat layers.dropout layers.fill_constant",
    "paddle_lite.ops": "loss.loss random.random sequence.sequence nn.norm nn.pool",
    "paddle_lite.kernels.cpu": "math.arithmetic_kernels math.matmul_kernels nn.activation_kernels loss.loss_kernels random.random",
    "paddle_lite.kernels.compiler": "machine objects",
}
"""Modules that many children use, and names that load them; by package."""


def load() -> None:
    """Import what children would."""
    for package, paths in IMPORTED.items():
        for path in paths.split():
            found: Any = import_module(package)
            for name in path.split("."):
                found = getattr(found, name, None) or import_module(f"{found.__name__}.{name}")
    gc.collect()
    gc.freeze()  # a child that looks for garbage would copy the memory of all this


def serve(connection: socket.socket) -> tuple[str, ...] | None:
    """Fork children until the tests close the connection; return None, and in a child the words behind `python`."""
    keepers: list[int] = []
    while True:
        head, files, _, _ = socket.recv_fds(connection, 4, 3)
        keepers = [keeper for keeper in keepers if not os.waitpid(keeper, os.WNOHANG if head else 0)[0]]
        if not head:
            return None
        data = b""
        while len(data) < struct.unpack("!I", head)[0]:
            data += connection.recv(1 << 16)
        keepers.append(os.fork())
        if not keepers[-1]:
            connection.close()
            return _child(*pickle.loads(data), *files)
        for file in files:
            os.close(file)


def _child(
    words: tuple[str, ...], folder: str, environment: dict[str, str], out: int, err: int, told: int
) -> tuple[str, ...]:
    """Fork the child, in which this returns its words; this process tells its number and, when it has ended, its exit status."""
    child = os.fork()
    if child:
        os.write(told, struct.pack("!i", child))
        os.write(told, struct.pack("!i", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])))
        os._exit(0)
    os.dup2(out, 1)
    os.dup2(err, 2)
    for file in (out, err, told):
        os.close(file)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    flags = import_module("paddle_lite.core.flags")
    flags.set_flags({name: environment[name] for name in flags.names() if name in environment})
    import_module("numpy").random.seed()
    import_module("paddle_lite.kernels.cpu.random.random").manual_seed(int.from_bytes(os.urandom(8), "big"))
    return words


def become(words: tuple[str, ...]) -> None:
    """Run `python *words` in this process."""
    first, *more = words
    if first == "-m":
        sys.argv = more
        sys.path.insert(0, os.getcwd())
        runpy.run_module(more[0], run_name="__main__", alter_sys=True)
        return
    main = sys.modules["__main__"] = ModuleType("__main__")
    if first == "-c":
        source: str | bytes = more.pop(0)
        sys.argv = ["-c", *more]
        sys.path.insert(0, "")
    else:
        with open(first, "rb") as file:
            source = file.read()
        sys.argv = list(words)
        sys.path.insert(0, os.path.dirname(os.path.abspath(first)))
        main.__file__ = first
    exec(compile(source, "<string>" if first == "-c" else first, "exec"), main.__dict__)


if __name__ == "__main__":
    sys.path.pop(0)
    load()
    asked = serve(socket.socket(fileno=int(sys.argv[1])))
    if asked is not None:
        become(asked)
