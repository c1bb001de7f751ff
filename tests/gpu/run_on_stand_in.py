"""Run a script with the stand-in as its GPU: `python -m paddle_lite run --gpu tests/gpu/run_on_stand_in.py [--most N] SCRIPT ARGS ...`.

Kernels for GPUs run thread by thread for arrays of up to N elements, references for larger ones.
"""

from __future__ import annotations

import argparse
import json
import runpy
import sys
from pathlib import Path

from paddle_lite.kernels import registry
from paddle_lite.kernels.gpu.stand_in import StandIn

API = Path(__file__).parents[1] / "ops" / "cupy_api.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=2000)
    parser.add_argument("words", nargs=argparse.REMAINDER)
    asked = parser.parse_args()
    gpu = StandIn(1, json.loads(API.read_text())["names"])
    registry.use_gpu_module(gpu, kernels=True, most=asked.most)
    sys.argv = asked.words
    sys.path[0] = str(Path(asked.words[0]).parent)
    runpy.run_path(asked.words[0], run_name="__main__")
    print(f"\non the stand-in: {len(gpu.uploads)} copies to the device, {len(gpu.downloads)} from it")
    if not gpu.downloads:
        sys.exit("nothing ran on the device")


if __name__ == "__main__":
    main()
