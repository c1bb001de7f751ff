"""Runs the programs of PaddlePaddle/benchmark, one for an operator each, with the sizes of their lists that are small.

    use_op_benchmark.py [NAME ...]

What each returns, its gradients too, is printed as sums instead of times.
"""

import argparse
import json
import runpy
import sys
from pathlib import Path

import numpy as np

LARGEST = 300000  # numbers in the arrays that a program is fed


def size(config):
    """Return how many numbers the arrays have that a program is fed."""
    shapes = [value for name, value in vars(config).items() if name.endswith("_shape") and isinstance(value, list)]
    return sum(np.prod(each) for shape in shapes for each in (shape if isinstance(shape[0], list) else [shape]))


def show(name, outputs):
    """Print sum and size of each array."""
    for value in outputs or []:
        value = np.array(value)
        print(f"{name}: {np.abs(value.astype('float64')).sum():.6g} {value.dtype} {value.shape}")


def run(pd_obj, config):
    """Build and run one program."""
    args = argparse.Namespace(use_gpu=False, repeat=1, check_output=False, profiler="none")
    config.backward = True
    feeds = pd_obj.generate_random_feeder(config)
    try:
        outputs, _ = pd_obj.run(config, args, feeder_adapter=feeds)
    except AttributeError as error:  # how these programs report what an operator refuses
        print(f"{config.api_name}: {error}")
    else:
        show(config.api_name, outputs)


def test_main(pd_obj=None, tf_obj=None, config=None):
    """Stand in for what the programs call: go through the list of sizes."""
    path = Path(config.alias_filename(f"tests/configs/{config.name}.json"))
    count = len(json.loads(path.read_text())) if path.exists() else 0
    for k in range(count):
        config.init_from_json(str(path), k, 2)
        if config.disabled() or size(config) > LARGEST:
            continue
        for api in getattr(config, "api_list", None) or [config.api_name]:
            config.api_name = api
            run(pd_obj, config)


if __name__ == "__main__":
    sys.path[:0] = ["tests", "."]
    names = sys.argv[1:] or sorted(path.stem for path in Path("tests").glob("*.py"))
    import common_import

    common_import.test_main = test_main
    for name in names:
        if name not in ("__init__", "common_import", "launch", "main", "null", "feed", "fetch", "while_loop"):
            np.random.seed(1)
            try:
                runpy.run_path(f"tests/{name}.py", run_name="__main__")
            except Exception as error:
                print(f"{name}: {type(error).__name__}", file=sys.stderr)
                print(f"{name} fails: 1")
