"""Draw one step of a trainer with two parameter servers, from the trace of its profiler: python -m benchmarks.draw_step [FILE.svg]

It starts two servers and two trainers of a multilayer perceptron on this machine, profiles a step of trainer 0 once the first ones
are over, and writes docs/distributed_step.svg: the operators of the step, and the calls of each server as they overlap with them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from paddle_lite.distributed.cluster import find_free_ports

ROOT = Path(__file__).resolve().parents[1]
WARM = 5  # steps before the profiled one
WIDTH, LEFT, ROW, BAR = 900, 150, 22, 16
COLORS = {
    "SendVariable": "#4477aa", "Step": "#228833", "forward": "#bbbbbb", "backward": "#ccbb44", "rpc": "#aa3377",
}  # fmt: skip
RPC = {"send", "send_barrier", "recv", "fetch_barrier", "split_byref", "concat"}


def work(role: str, number: int, endpoints: str, trace: str) -> None:
    """Be a process of the job."""
    from paddle_lite import fluid

    x, y = fluid.data("x", [None, 784], "float32"), fluid.data("y", [None, 1], "int64")
    hidden = fluid.layers.fc(fluid.layers.fc(x, 1024, act="relu"), 1024, act="relu")
    logits = fluid.layers.fc(hidden, 10)
    loss = fluid.layers.mean(fluid.layers.softmax_with_cross_entropy(logits, y))
    fluid.optimizer.Momentum(0.01, 0.9).minimize(loss)
    exe, t = fluid.Executor(fluid.CPUPlace()), fluid.DistributeTranspiler()
    t.transpile(number, pservers=endpoints, trainers=2)
    if role == "server":
        program, startup = t.get_pserver_programs(endpoints.split(",")[number])
        exe.run(startup)
        exe.run(program)
        return
    program = t.get_trainer_program()
    exe.run(fluid.default_startup_program())
    chance = np.random.RandomState(number)
    feed = {"x": chance.standard_normal((64, 784)).astype("float32"), "y": chance.randint(0, 10, (64, 1))}
    for step in range(WARM + 3):
        if step == WARM and number == 0:
            with fluid.profiler.profiler("CPU", "total", trace):
                exe.run(program, feed=feed, fetch_list=[loss])
        else:
            exe.run(program, feed=feed, fetch_list=[loss])
    exe.close()


def recorded() -> list[dict[str, Any]]:
    """Run the job and return the events of the step."""
    endpoints = ",".join(f"127.0.0.1:{port}" for port in find_free_ports(2))
    with tempfile.TemporaryDirectory() as folder:
        trace = f"{folder}/trace"
        env = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        started = [
            subprocess.Popen([sys.executable, "-m", "benchmarks.draw_step", role, str(number), endpoints, trace], cwd=ROOT, env=env)
            for role in ("server", "trainer")
            for number in range(2)
        ]  # fmt: skip
        try:
            for each in started:
                if each.wait(120):
                    raise SystemExit("a process of the job has failed")
        finally:
            for each in started:
                each.kill()
        return json.loads(Path(trace).read_bytes())["traceEvents"]


def kind_of(event: dict[str, Any]) -> str:
    """Return what an event is drawn as."""
    name = event["name"]
    if event["pid"] == 1:
        return name.split()[0]
    return "rpc" if name in RPC else "backward" if name.endswith("_grad") or name == "sum" else "forward"


def drawn(events: list[dict[str, Any]]) -> str:
    """Return the picture of a step."""
    rows = {(each["pid"], each["tid"]): each["args"]["name"] for each in events if each["name"] == "thread_name"}
    spans = [each for each in events if each["ph"] == "X"]
    servers = sorted({name.partition(" ")[0] for (pid, _), name in rows.items() if pid == 1})
    labels = {(0, tid): "operators" for pid, tid in rows if pid == 0}
    for key, name in rows.items():
        if key[0] == 1:
            endpoint, _, more = name.partition(" ")
            labels[key] = "" if more else f"server {servers.index(endpoint)}"
    places = {key: i for i, key in enumerate(sorted(labels))}
    begin, end = min(each["ts"] for each in spans), max(each["ts"] + each["dur"] for each in spans)
    scale = (WIDTH - LEFT - 10) / (end - begin)
    height = ROW * (len(places) + 2)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="11">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
    ]
    parts += [
        f'<text x="8" y="{ROW * i + 13}">{escape(labels[key])}</text>' for key, i in places.items() if labels[key]
    ]
    for each in spans:
        x, wide = LEFT + (each["ts"] - begin) * scale, max(each["dur"] * scale, 0.6)
        bytes_ = f", {sum(each['args'].values()) / 1e3:,.1f} KB" if "args" in each else ""
        title = escape(f"{each['name']}: {each['dur'] / 1000:.2f} ms{bytes_}")
        y, color = ROW * places[each["pid"], each["tid"]], COLORS[kind_of(each)]
        parts.append(
            f'<rect x="{x:.1f}" y="{y + 1}" width="{wide:.1f}" height="{BAR}" fill="{color}"><title>{title}</title></rect>'
        )
    y = ROW * len(places) + 12
    for i in range(5):
        at = LEFT + i * (WIDTH - LEFT - 50) / 4
        parts.append(f'<text x="{at:.0f}" y="{y}">{(at - LEFT) / scale / 1000:.1f} ms</text>')
    for i, (kind, color) in enumerate(COLORS.items()):
        label = {"rpc": "operators that wait", "Step": "rest of the step"}.get(kind, kind)
        parts.append(f'<rect x="{LEFT + 125 * i}" y="{y + 10}" width="11" height="11" fill="{color}"/>')
        parts.append(f'<text x="{LEFT + 125 * i + 15}" y="{y + 20}">{label}</text>')
    return "\n".join([*parts, "</svg>\n"])


if __name__ == "__main__":
    if len(sys.argv) > 2:
        work(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4])
    else:
        target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "distributed_step.svg"
        target.write_text(drawn(recorded()))
        print(f"wrote {target}")
