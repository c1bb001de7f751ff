"""Exchanges models with real PaddlePaddle, in both directions, with those of its versions that are installed.

    python tests/interop/exchange.py --fluid PYTHON --modern PYTHON --latest PYTHON

Each PYTHON is an interpreter that has paddlepaddle 1.8.5, 2.6.2 or 3.3.1; those that are left out are passed over. Models
are written and trained on by one side, read, run and trained on by the other. Not a test of the suite, since that needs
no PaddlePaddle; `test_exchange.py` reads what `record_exchange.py` recorded.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parents[1]))

import paddle_lite.fluid as fluid  # noqa: E402
from tests.interop import control_nets, nets  # noqa: E402


def predicted(folder: Path, name: str, x: np.ndarray) -> Any:
    """What a model of PaddlePaddle 2 gives here."""
    exe = fluid.Executor(fluid.CPUPlace())
    with fluid.scope_guard(fluid.Scope()):
        return nets.predictions(fluid, exe, str(folder), {"x": x}, f"{name}.pdmodel", f"{name}.pdiparams")


def trained(folder: Path) -> Any:
    """How training of PaddlePaddle 2 goes on here."""
    program = fluid.Program.parse_from_string((folder / "training.pdmodel").read_bytes())
    exe, feeds = fluid.Executor(fluid.CPUPlace()), nets.batches("mlp")
    (loss,) = (op.output("Out")[0] for op in program.global_block().ops if op.type in ("mean", "reduce_mean"))
    with fluid.scope_guard(fluid.Scope()):
        fluid.load(program, str(folder / "training"))
        return nets.losses(exe, program, program.global_block().var(loss), feeds[nets.STEPS :])


def modern_models(folder: Path) -> Iterator[tuple[str, Any, np.ndarray]]:
    """Checks of a folder that `modern_models.py write` made."""
    for file in sorted(folder.glob("*.npz")):
        known = np.load(file)
        if file.stem == "training":
            yield "training", trained(folder), known["losses"]
            continue
        yield f"{file.stem}: prediction", predicted(folder, file.stem, known["x"]), known["prediction"]


def asked(python: str, *words: object) -> None:
    """Run a script beside this one with another interpreter."""
    script, *rest = map(str, words)
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "GLOG_minloglevel": "3", "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [python, str(HERE / script), *rest], env=environment, stderr=subprocess.PIPE, text=True, timeout=600
    )
    if done.returncode:
        print(done.stderr[-2000:])
        raise SystemExit(f"{script} {' '.join(rest)} failed with {python}")


def main() -> None:
    """Exchange with each interpreter that is given."""
    parser = argparse.ArgumentParser(description="Exchange models with real PaddlePaddle, in both directions.")
    parser.add_argument("--fluid", metavar="PYTHON", help="an interpreter that has paddlepaddle 1.8.5")
    parser.add_argument("--modern", metavar="PYTHON", help="an interpreter that has paddlepaddle 2.6.2")
    parser.add_argument("--latest", metavar="PYTHON", help="an interpreter that has paddlepaddle 3.3.1")
    given = parser.parse_args()
    if not (given.fluid or given.modern or given.latest):
        parser.error("needs at least one interpreter")
    with tempfile.TemporaryDirectory() as folder:
        names = ("ours", "theirs", "modern", "our_control", "their_control")
        ours, theirs, modern, our_control, their_control = (Path(folder, name) for name in names)
        for name in names:
            Path(folder, name).mkdir()
        nets.write(fluid, str(ours))
        control_nets.write(fluid, str(our_control), {**control_nets.NETS, **control_nets.OURS})
        if given.fluid:
            print("\npaddle_lite's files, read by 1.8.5", flush=True)
            asked(given.fluid, "nets.py", "check", ours)
            asked(given.fluid, "control_nets.py", "check", our_control)
            print("\n1.8.5's files, read by paddle_lite", flush=True)
            asked(given.fluid, "nets.py", "write", theirs)
            asked(given.fluid, "control_nets.py", "write", their_control)
            nets.report(nets.check(fluid, str(theirs)))
            nets.report(control_nets.check(fluid, str(their_control)))
        if given.modern:
            print("\npaddle_lite's files, read by 2.6.2", flush=True)
            asked(given.modern, "modern_models.py", "check", ours)
            print("\n2.6.2's files, read by paddle_lite", flush=True)
            asked(given.modern, "modern_models.py", "write", modern)
            nets.report(modern_models(modern))
        if given.latest:
            print("\npaddle_lite's files, read by 3.3.1's predictor", flush=True)
            asked(given.latest, "predictor.py", ours)


if __name__ == "__main__":
    main()
