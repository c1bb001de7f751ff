"""Saves declared models whose control flow depends on data, lets PaddlePaddle 1.8.5 run them, and keeps both: exports.npz.

    python -m tests.jit.record_exports --fluid PYTHON

PYTHON has PaddlePaddle 1.8.5.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from paddle_lite import fluid
from paddle_lite.fluid.dygraph import ProgramTranslator, to_variable

from .models.dynamic import Recurrence
from .models.seq2seq import Translation
from .models.tree import BinaryTree

HERE = Path(__file__).parent
KEPT = HERE / "exports.npz"
TRAINED = {Translation: 250, Recurrence: 1, BinaryTree: 1}
"""The models, and for how many steps they are trained before."""


def train(model, numbers, steps):
    """Some steps of training."""
    optimizer = model.optimizer(model.net.parameters())
    for _ in range(steps):
        result = model.loss(*model.batch(numbers))
        loss = result[0] if isinstance(result, tuple) else result
        loss.backward()
        optimizer.minimize(loss)
        model.net.clear_gradients()
    model.net.eval()


def save(model, folder, example):
    """Save what is translated for an example."""
    model.predict(*map(to_variable, example))
    ProgramTranslator().save_inference_model(str(folder))


def new(model_class):
    """A model under fixed names and seeds."""
    with fluid.unique_name.guard():
        fluid.default_main_program().random_seed = fluid.default_startup_program().random_seed = 1
        return model_class()


def exported(model_class, folder):
    """Train and save a model; its examples, inputs only."""
    model, numbers = new(model_class), np.random.RandomState(2)
    train(model, numbers, TRAINED[model_class])
    examples = model.examples(numbers)
    save(model, folder, examples[0])
    return {f"{i} in {j}": value for i, example in enumerate(examples) for j, value in enumerate(example)}


def run_by(python, folder, inputs):
    """What PaddlePaddle gives for the examples."""
    np.savez(folder / "inputs.npz", **inputs)
    subprocess.run([python, str(HERE / "run_export.py"), str(folder)], check=True, timeout=120)
    with np.load(folder / "outputs.npz") as found:
        return dict(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fluid", required=True, help="a Python that has PaddlePaddle 1.8.5")
    options = parser.parse_args()
    kept = {}
    for model_class in TRAINED:
        name = model_class.__name__
        with tempfile.TemporaryDirectory() as made, fluid.dygraph.guard():
            folder = Path(made)
            inputs = exported(model_class, folder)
            files = {f"file {p.name}": np.frombuffer(p.read_bytes(), np.uint8) for p in sorted(folder.iterdir())}
            outputs = run_by(options.fluid, folder, inputs)
        kept.update({f"{name}: {key}": value for key, value in {**files, **inputs, **outputs}.items()})
        print(f"{name}: {len(files)} files, {len(inputs)} inputs, {len(outputs)} outputs")
    np.savez_compressed(KEPT, **kept)


if __name__ == "__main__":
    main()
