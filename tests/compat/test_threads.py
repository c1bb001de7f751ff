"""Threads of programs of PaddlePaddle begin with what the guards around their start have set."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import gc, threading, weakref
from concurrent.futures import ThreadPoolExecutor
import numpy as np
import paddle.fluid as fluid

seen = {}

def work(name):
    try:
        seen[name] = float(fluid.layers.scale(fluid.dygraph.to_variable(np.ones([1], "float32")), 3.0).numpy()[0])
    except Exception as error:
        seen[name] = type(error).__name__

class Own(threading.Thread):
    def run(self):
        work("own")
        fluid.dygraph.no_grad(lambda: None)()

with fluid.dygraph.guard():
    thread = threading.Thread(target=work, args=("thread",))
    threads = [thread, Own()]
    for each in threads:
        each.start()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(work, "pool").result()
    for each in threads:
        each.join()
outside = threading.Thread(target=work, args=("outside",))
outside.start()
outside.join()

scope = fluid.Scope()
with fluid.scope_guard(scope):
    reader = threading.Thread(target=lambda: seen.update(scope=fluid.global_scope() is scope))
    reader.start()
    reader.join()
gone = weakref.ref(scope)
del scope, reader
gc.collect()
print(sorted(seen.items()), gone() is None)
"""


def test_threads_begin_in_the_guards_around_their_start():
    done = subprocess.run(
        [sys.executable, "-m", "paddle_lite", "run", "-c", PROGRAM],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    expected = [("outside", "ModeError"), ("own", 3.0), ("pool", 3.0), ("scope", True), ("thread", 3.0)]
    assert done.stdout.strip() == f"{expected} True", done.stderr
