"""Two trainers and two servers, in processes of their own, train as one process on the joined batch does."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

import numpy as np

from paddle_lite import fluid
from paddle_lite.static.proto import streams
from tests import children

from .job import MORE, ROWS, network

SCRIPT = Path(__file__).parent / "job.py"
ROOT = SCRIPT.parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def ports(count: int) -> list[str]:
    held = [socket.socket() for _ in range(count)]
    for each in held:
        each.bind(("127.0.0.1", 0))
    found = [f"127.0.0.1:{each.getsockname()[1]}" for each in held]
    for each in held:
        each.close()
    return found


def start(*arguments: Any) -> children.Child:
    return children.start(SCRIPT, *arguments, joined=True)


def finished(*processes: children.Child) -> None:
    try:
        for process in processes:
            assert process.wait() == 0, process.text
    finally:
        for process in processes:
            process.kill()


def stored(folder: Path) -> dict[str, np.ndarray]:
    return {path.name: streams.load_tensor(str(path)).array for path in folder.iterdir() if "@GROWN" not in path.name}


def with_more_rows(folder: Path, name: str, declared: np.ndarray) -> np.ndarray:
    """Return an array of a table with its rows of ids that the Program does not declare behind the others, in the order of MORE."""
    grown = streams.load_selected_rows(folder / f"{name}@GROWN")
    rows = dict(zip(grown.rows.tolist(), grown.values, strict=True))
    assert len(rows) > 3 and set(rows) <= set(MORE)
    first = np.full(6, 0.1 if name == "table" else 0, "float32")  # of rows that no trainer has touched
    return np.concatenate([declared, [rows.get(each, first) for each in MORE]])


def check_tables_by_servers(job: dict[str, np.ndarray], out: Path, endpoints: str) -> None:
    """The operator checkpoint_notify had each server write its part of the table, and a server loads it."""
    apart = Path(f"{out}.apart")
    files = {"table_0", "table_1", "table_0@GROWN", "table_1@GROWN", "table_velocity_0@GROWN"}
    assert {path.name for path in apart.iterdir()} == set(job) - {"table"} | files
    parts = [streams.load_selected_rows(apart / f"table_{number}").values for number in (0, 1)]
    np.testing.assert_array_equal(np.concatenate(parts), job["table"][:ROWS])
    loaded: dict[str, np.ndarray] = {}
    grown: list[dict[int, np.ndarray]] = []
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        fluid.optimizer.Momentum(0.1, 0.9).minimize(network())
        t = fluid.DistributeTranspiler()
        t.transpile(0, pservers=endpoints, trainers=2)
        for endpoint in endpoints.split(","):
            with fluid.scope_guard(fluid.Scope()):
                program, _ = t.get_pserver_programs(endpoint)
                fluid.io._load_distributed_persistables(fluid.Executor(), apart, program)
                held = fluid.global_scope().values
                grown += [
                    dict(zip(rows.rows.tolist(), rows.values, strict=True))
                    for name, rows in held.items()
                    if name.startswith("table") and "@GROWN" in name
                ]
                loaded |= {name: np.array(each.array) for name, each in held.items() if "@GROWN" not in name}
    np.testing.assert_array_equal(loaded["table.block0"], job["table"][: ROWS // 2])
    np.testing.assert_array_equal(loaded["fc_1.b_0"], job["fc_1.b_0"])
    assert sorted(sorted({id % 2 for id in rows}) for rows in grown) == [[0], [0], [1], [1]]
    for rows in grown:
        for id, row in rows.items():
            assert any((job[name][ROWS + MORE.index(id)] == row).all() for name in ("table", "table_velocity_0"))


def test_synchronous_training_equals_that_of_one_process(tmp_path: Path) -> None:
    endpoints = ",".join(ports(2))
    finished(start("alone", 0, endpoints, tmp_path / "one"))
    out = tmp_path / "job"
    servers = [start("server", i, endpoints, out) for i in range(2)]
    trainers = [start("trainer", i, endpoints, out) for i in range(2)]
    finished(*trainers, *servers)  # the servers end by themselves when both trainers are done
    one, job = stored(tmp_path / "one"), stored(out)
    for name in ("table", "table_velocity_0"):
        job[name] = with_more_rows(out, name, job[name])
    assert set(job) == set(one) and {"table", "fc_0.w_0", "fc_0.w_0_velocity_0", "learning_rate_0"} <= set(job)
    for name, value in one.items():
        np.testing.assert_allclose(job[name], value, rtol=2e-5, atol=2e-6, err_msg=name)
    check_tables_by_servers(job, out, endpoints)
    losses = [np.load(f"{out}.trainer{i}.npy") for i in range(2)]
    np.testing.assert_allclose(sum(losses) / 2, np.load(tmp_path / "one.alone0.npy"), rtol=2e-5)
