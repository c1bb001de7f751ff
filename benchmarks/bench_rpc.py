"""A message of an array to a parameter server and its empty answer: paddle_lite beside bare gRPC.

    python -m benchmarks.bench_rpc
    python -m benchmarks.bench_rpc --kilobytes 64 1024 --rounds 20

Each side sends to a process of its own. Bare gRPC sends the same number of bytes, which exist beforehand, to a function that returns
none, by a call that blocks and by a future; paddle_lite writes the message from an array, and its server reads it, checks it and makes
an array of it. It needs futures, for several messages are under way while a trainer computes, so the ratio is that to bare futures. The
sides take turns, call by call; each has a call that is not timed before the one that is, for it comes after a side whose server is another
process. Of Python in a call: the processor time that the calling thread takes more than for a bare future, for a
message of 64 bytes.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from paddle_lite.distributed.cluster import find_free_ports

KILOBYTES = (64, 256, 1024, 4096, 16384)
BARS = (1.3, 60e-6)  # the goals: the ratio of a message, and seconds of Python a call


def _keep_memory() -> None:
    """Keep freed memory, as processes that train do."""
    from paddle_lite.kernels.memory import keep_freed_memory

    keep_freed_memory()


def _serve_bare(port: int) -> None:
    _keep_memory()
    from concurrent.futures import ThreadPoolExecutor

    import grpc

    from paddle_lite.distributed.rpc.connection import OPTIONS

    handler = grpc.unary_unary_rpc_method_handler(lambda data, context: b"")
    server = grpc.server(ThreadPoolExecutor(8), options=OPTIONS)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bare", {"Put": handler}),))
    server.add_insecure_port(f"127.0.0.1:{port}")
    server.start()
    server.wait_for_termination()


class _Takes:
    """The handler of a server that takes arrays, and answers without one."""

    def send(self, message: Any, address: str) -> Any:
        from paddle_lite.distributed.rpc.wire import Message

        if not isinstance(message.value, np.ndarray):
            raise TypeError(f"got {type(message.value).__name__}, not an array")
        return Message()

    get = get_now = look_up = notify = send

    def counted(self, address: str, received: int, sent: int) -> None:
        """Count nothing."""


def _serve_ours(port: int) -> None:
    _keep_memory()
    from paddle_lite.distributed.rpc.control import HEARTBEAT, pack
    from paddle_lite.distributed.rpc.heartbeats import interval
    from paddle_lite.distributed.rpc.service import Service

    def beat(data: bytes, context: Any) -> bytes:
        time.sleep(interval())
        return pack({})

    service = Service(f"127.0.0.1:{port}", _Takes(), {HEARTBEAT: beat})
    threading.Event().wait()
    service.stop()


def _bare(port: int, by_future: bool) -> Callable[[np.ndarray], None]:
    import grpc

    from paddle_lite.distributed.rpc.connection import OPTIONS

    stub = grpc.insecure_channel(f"127.0.0.1:{port}", options=OPTIONS).unary_unary("/bare/Put")
    made: dict[int, bytes] = {}

    def put(array: np.ndarray) -> None:
        data = made.get(array.nbytes)
        if data is None:
            data = made[array.nbytes] = array.tobytes()
        if by_future:
            stub.future(data).result()
        else:
            stub(data)

    return put


def _ours(port: int) -> Callable[[np.ndarray], None]:
    from paddle_lite.distributed.rpc.client import Servers

    servers, endpoints = Servers(), [f"127.0.0.1:{port}"]

    def put(array: np.ndarray) -> None:
        servers.send(["weight@GRAD"], [array], endpoints, 0)
        servers._settle(0)

    return put


def measured(
    sides: Sequence[Callable[[np.ndarray], None]],
    size: int,
    rounds: int,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[list[float], float]:
    """Return the median seconds of each side's message of some bytes, and the median ratio of the last two sides."""
    array, times = np.ones(size // 4, "float32"), []
    for put in (*sides, *sides, *sides):
        put(array)
    for _ in range(rounds):
        took = []
        for put in sides:
            put(array)
            began = clock()
            put(array)
            took.append(clock() - began)
        times.append(took)
    ratio = statistics.median(each[-1] / each[-2] for each in times)
    return [statistics.median(column) for column in zip(*times, strict=True)], ratio


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kilobytes", type=int, nargs="+", default=KILOBYTES, help="sizes of messages")
    parser.add_argument("--rounds", type=int, default=60, help="calls of each side")
    args = parser.parse_args()
    _keep_memory()
    spawn, ports = multiprocessing.get_context("spawn"), sorted(find_free_ports(2))
    targets = (_serve_bare, _serve_ours)
    servers = [spawn.Process(target=t, args=(p,), daemon=True) for t, p in zip(targets, ports, strict=True)]
    from paddle_lite.distributed.rpc.ports import wait_for_ports

    for server, port in zip(servers, ports, strict=True):
        server.start()
        wait_for_ports([f"127.0.0.1:{port}"], 30)
    sides = [_bare(ports[0], by_future=False), _bare(ports[0], by_future=True), _ours(ports[1])]
    print("     bytes  gRPC, blocking  gRPC, future  paddle_lite  ratio")
    for kilobytes in args.kilobytes:
        (blocking, future, ours), ratio = measured(sides, kilobytes << 10, args.rounds)
        met = "" if ratio <= BARS[0] else f"  above the goal, {BARS[0]}"
        print(
            f"{kilobytes << 10:10} {blocking * 1e3:12.2f} ms {future * 1e3:10.2f} ms {ours * 1e3:9.2f} ms {ratio:6.2f}{met}"
        )
    (_, future, ours), _ = measured(sides, 64, 10 * args.rounds, time.thread_time)
    met = "" if ours - future <= BARS[1] else f", above the goal, {BARS[1] * 1e6:.0f} us"
    print(f"of Python in a call: {(ours - future) * 1e6:.0f} us (a bare future: {future * 1e6:.0f} us){met}")
    for server in servers:
        server.terminate()


if __name__ == "__main__":
    main()
