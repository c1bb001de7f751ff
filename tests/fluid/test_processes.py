"""Errors about child processes, and what is done when a process ends; as PaddlePaddle 1.8.5 does it."""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import EnforceNotMet
from paddle_lite.fluid import core
from paddle_lite.fluid.reader import CleanupFuncRegistrar, _cleanup, multiprocess_queue_set
from tests.children import run

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")
ROOT = str(Path(__file__).parents[2])


def child(code: str) -> subprocess.Popen:
    whole, environment = f"import os, signal, sys, time\n{code}", {**os.environ, "PYTHONPATH": ROOT}
    return subprocess.Popen([sys.executable, "-c", whole], env=environment, stdout=subprocess.PIPE)


def ended(process: subprocess.Popen) -> None:
    """Wait for the end of a child without collecting its status."""
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("sys.exit(1)", r"^FatalError: DataLoader process \(pid PID\) exited unexpectedly with code 1\."),
        ("os.kill(os.getpid(), signal.SIGKILL)", r"\(pid PID\) exited is killed by signal: Killed"),
        ("os.kill(os.getpid(), signal.SIGBUS)", r"killed by signal: Bus error.*/dev/shm"),
        ("sys.exit(0)", None),
    ],
)
def test_a_child_that_failed_is_named_once(code: str, said: str | None) -> None:
    process = child(code)
    try:
        core._set_process_pids(id(process), (process.pid,))
        ended(process)
        if said is not None:
            with pytest.raises(EnforceNotMet, match=said.replace("PID", str(process.pid))):
                core._throw_error_if_process_failed()
        core._throw_error_if_process_failed()
    finally:
        core._erase_process_pids(id(process))
        process.communicate()


def test_children_that_run_and_others_processes_are_no_failures() -> None:
    process = child("time.sleep(60)")
    try:
        core._set_process_pids(1, (process.pid, os.getpid()))
        core._throw_error_if_process_failed()
        with pytest.raises(TypeError, match="an int and a tuple of ints"):
            core._set_process_pids("a", (3,))
    finally:
        core._erase_process_pids(1)
        process.kill()
        process.communicate()


def test_a_child_ends_well_by_the_signal_of_its_parent() -> None:
    process = child(
        "from paddle_lite.fluid import core\ncore._set_process_signal_handler()\nprint('ready', flush=True)\ntime.sleep(60)"
    )
    assert process.stdout is not None
    with process.stdout as said:
        assert said.readline() == b"ready\n"
        process.terminate()
        assert process.wait(60) == 0


REGISTER = """
from paddle_lite.fluid.reader import CleanupFuncRegistrar
CleanupFuncRegistrar.register(lambda: print("cleaned", flush=True), signals={signals})
os.kill(os.getpid(), {number})
time.sleep({seconds})
print("went on")
"""


@pytest.mark.parametrize(
    ("signals", "number", "status", "said"),
    [
        ("[signal.SIGTERM]", "signal.SIGTERM", signal.SIGTERM, "cleaned\n"),
        ("[signal.SIGINT]", "signal.SIGINT", None, "cleaned\n"),
        ("[]", "0", 0, "went on\ncleaned\n"),
    ],
)
def test_functions_are_called_once_when_the_process_ends(
    signals: str, number: str, status: int | None, said: str
) -> None:
    code = f"import os, signal, time\n{REGISTER.format(signals=signals, number=number, seconds=0 if number == '0' else 60)}"
    done = run("-c", code)
    assert done.stdout == said
    if status is None:
        assert "KeyboardInterrupt" in done.stderr
    else:
        assert done.returncode == status


def test_what_is_no_function_is_not_registered() -> None:
    with pytest.raises(TypeError, match="is not callable"):
        CleanupFuncRegistrar.register(5)


def test_queues_are_emptied() -> None:
    full: queue.Queue[int] = queue.Queue(2)
    full.put(1)
    full.put(2)
    between = multiprocessing.Queue()
    between.close()
    multiprocess_queue_set.update([full, between])
    _cleanup()
    assert full.empty()
    assert not multiprocess_queue_set


def test_descriptions_of_trainings() -> None:
    worker, info = (
        {"trainer": "DistMultiTrainer", "device_worker": "Hogwild"},
        {"mpi_rank": 3, "dump_fields": ["a", "b"]},
    )
    trainer = fluid.trainer_factory.TrainerFactory()._create_trainer({**worker, **info, "use_cvm": True})
    with fluid.program_guard(fluid.Program()):
        trainer._set_fetch_var_and_info([fluid.data("x", [1], "float32")], ["text"], 7)
    trainer._set_infer(True)
    trainer._set_adjust_ins_weight({"need_adjust": True, "nid_slot": "s"})
    trainer._gen_trainer_desc()
    expected = (
        'class_name: "DistMultiTrainer"\ndevice_worker_name: "HogwildWorker"\nthread_num: 2\nfetch_config {\n'
        '  fetch_var_names: "x"\n  fetch_var_str_format: "text"\n  print_period: 7\n}\nuse_cvm: true\nmpi_rank: 3\n'
        'dump_fields: "a"\ndump_fields: "b"\nadjust_ins_weight_config {\n  need_adjust: true\n  nid_slot: "s"\n}\n'
        'hogwild_param {\n  skip_ops: "feed"\n}\n'
    )
    assert str(trainer) == expected
    assert type(trainer.proto_desc).FromString(trainer._desc()) == trainer.proto_desc
    with pytest.raises(KeyError, match="'Nope', needs one of MultiTrainer"):
        fluid.trainer_factory.TrainerFactory()._create_trainer({**worker, "trainer": "Nope"})
    with pytest.raises(KeyError, match="'nope', needs one of Hogwild"):
        fluid.device_worker.DeviceWorkerFactory()._create_device_worker("nope")
    with pytest.raises(RuntimeError, match="_set_device_worker"):
        fluid.trainer_desc.MultiTrainer()._gen_trainer_desc()
    with pytest.raises(NotImplementedError, match="please use Hogwild"):
        fluid.device_worker.DeviceWorker()._gen_worker_desc(None)
    with pytest.raises(AttributeError, match="Hogwild describes threads"):
        fluid.device_worker.DownpourSGD()._gen_worker_desc(trainer.proto_desc)
