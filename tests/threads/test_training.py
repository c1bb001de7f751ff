"""Eight threads that train eight models get bit for bit what one thread gets, one model after another."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from tests.threads.together import LIMIT, mixed, together, train_declared, train_imperative, train_static


@pytest.mark.parametrize("train", [train_imperative, train_static, train_declared, mixed])
def test_eight_threads_train_eight_models(train: Any) -> None:
    alone = [train(number) for number in range(8)]
    assert len({tuple(each) for each in alone}) == 8  # they are different models
    assert together([partial(train, number) for number in range(8)]) == alone


def test_fused_kernels_are_compiled_in_several_threads_at_once(compiled: None) -> None:
    alone = [train_static(number, 20) for number in range(20, 24)]
    assert together([partial(train_static, number, 20) for number in range(20, 24)]) == alone


def test_the_first_calls_of_a_process_come_from_eight_threads(tmp_path: Path) -> None:
    """Modules, operators and kernels are loaded by whoever comes first, in any order, and each kernel is compiled once."""
    code = (
        "from functools import partial\n"
        "from paddle_lite.kernels.kernel_cache import counts\n"
        "from paddle_lite.core.flags import set_flags\n"
        "from tests.threads.together import mixed, together\n"
        "set_flags({'FLAGS_plan_warm_up': 2})\n"
        "found = together([partial(mixed, number) for number in range(8)])\n"
        "made = dict(counts)\n"
        "assert found == [mixed(number) for number in range(8)]\n"
        "print('the same', made['compiled'])"
    )
    environment = {**os.environ, "PADDLE_LITE_CACHE_DIR": str(tmp_path), "PADDLE_LITE_INSTALLED_KERNELS": "0"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=LIMIT)
    entry = "paddle_lite_unpack-"  # what the kernels share is none of them
    kept = [path for path in (tmp_path / "kernels").rglob("*") if path.is_file() and not path.name.startswith(entry)]
    assert kept and done.stdout.split() == ["the", "same", str(len(kept))], (done.stdout, done.stderr, kept)


def test_one_program_runs_in_eight_threads_with_a_scope_each() -> None:
    main, startup = fluid.Program(), fluid.Program()
    startup.random_seed = 3
    with fluid.unique_name.guard(), fluid.program_guard(main, startup):
        x = fluid.data("x", [None, 4], "float32")
        loss = fluid.layers.reduce_sum(fluid.layers.square(fluid.layers.fc(x, 2)))
        fluid.optimizer.SGD(0.01).minimize(loss)

    def run(number: int) -> list[bytes]:
        exe, scope = fluid.Executor(fluid.CPUPlace()), fluid.Scope()
        exe.run(startup, scope=scope)
        feed = {"x": np.full([3, 4], number, "float32")}
        return [exe.run(main, feed=feed, fetch_list=[loss], scope=scope)[0].tobytes() for _ in range(10)]

    assert together([partial(run, number) for number in range(8)]) == [run(number) for number in range(8)]
    assert len(main._plans) == 1  # compiled once


def test_a_declared_function_is_translated_once() -> None:
    @fluid.dygraph.declarative
    def double(x: Any) -> Any:
        if fluid.layers.reduce_sum(x) > 0:
            return x * 2
        return x

    before = fluid.dygraph.ProgramTranslator().get_program_cache().translations

    def run() -> Any:
        with fluid.dygraph.guard():
            return double(fluid.dygraph.to_variable(np.ones([2], "float32"))).numpy().tolist()

    assert together([run] * 8) == [[2.0, 2.0]] * 8
    assert fluid.dygraph.ProgramTranslator().get_program_cache().translations == before + 1


def test_no_gradient_is_lost_under_no_grad_of_others() -> None:
    """1,500 gradients in one thread, while others enter and leave no_grad, eval() and guards all the time."""
    done = threading.Event()
    entered = threading.Barrier(4)  # the others are inside of their first block when the gradients begin

    def without() -> int:
        count = 0
        with fluid.dygraph.guard():
            net = fluid.dygraph.Linear(2, 2)
            x = fluid.dygraph.to_variable(np.ones([1, 2], "float32"))
            while not count or not done.is_set():
                with fluid.dygraph.no_grad():
                    if not count:
                        entered.wait(LIMIT)
                    assert net(x).stop_gradient
                net.eval()
                assert net(x).stop_gradient
                net.train()
                count += 1
        return count

    def gradients() -> int:
        with fluid.dygraph.guard():
            x = fluid.dygraph.to_variable(np.full([2], 3, "float32"))
            x.stop_gradient = False
            entered.wait(LIMIT)
            found = 0
            try:
                for _ in range(1500):
                    fluid.layers.reduce_sum(x * x).backward()
                    found += x.gradient().tolist() == [6.0, 6.0]
                    x.clear_gradient()
            finally:
                done.set()
            return found

    assert together([gradients, without, without, without])[0] == 1500


def test_names_of_one_generator_are_different_in_all_threads() -> None:
    with fluid.unique_name.guard():
        generator = fluid.unique_name.switch().generator

    def names() -> list[str]:
        return [generator("w") for _ in range(2000)]

    each = together([names] * 8)
    assert len({name for found in each for name in found}) == 16000
