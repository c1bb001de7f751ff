"""Every operator's Program, with its gradients, as we write it, run by PaddlePaddle 1.8.5: the same numbers must come.

    python tests/interop/operators.py PYTHON [OPERATOR ...]      # PYTHON: an interpreter that has paddlepaddle 1.8.5

Each sample of tests/ops/rows is a Program. Not a test of the suite, since that needs no PaddlePaddle. Prints a line for
each sample that differs; operators in APART do for the reason that stands there. All of them take ten minutes.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parents[1]))

from paddle_lite.core import unique_name  # noqa: E402
from paddle_lite.core.mode import switched  # noqa: E402
from paddle_lite.core.place import CPUPlace  # noqa: E402
from paddle_lite.core.tensor import LoDTensor  # noqa: E402
from paddle_lite.ops.framework import registry  # noqa: E402
from paddle_lite.static import Program, program_guard  # noqa: E402
from paddle_lite.static.mode.static_mode import static_mode  # noqa: E402
from tests.ops.case import Case, device  # noqa: E402
from tests.ops.programs import Built  # noqa: E402
from tests.ops.rows_of import ALL  # noqa: E402

IN_PLACE = "Paddle wants a result in the Variable of an input, as layers make it"
SPARSE = "the gradient is SelectedRows, which cannot be fetched there"
ALONE = "Paddle's gradient wants all of its results, here some are not asked for"
NO_LOD = "the gradient that is fed has no LoD here"
APART = {
    **dict.fromkeys(
        ["adadelta", "average_accumulates", "batch_norm", "inplace_abn", "rmsprop", "sample_logits"], IN_PLACE
    ),
    **dict.fromkeys(
        ["fake_quantize_dequantize_moving_average_abs_max", "fake_quantize_moving_average_abs_max"],
        "in tests Paddle leaves OutScale empty",
    ),
    **dict.fromkeys(["hierarchical_sigmoid", "lookup_table", "lookup_table_v2"], SPARSE),
    **dict.fromkeys(["data_norm", "grid_sampler", "nce", "sequence_conv", "tree_conv"], ALONE),
    **dict.fromkeys(["sequence_reverse", "sequence_unpad", "var_conv_2d"], NO_LOD),
    **dict.fromkeys(
        ["deformable_conv", "deformable_conv_v1"], "Paddle computes nothing for less than im2col_step images"
    ),
}


def write(folder: Path, chosen: list[str]) -> int:
    """A folder for each sample that can be compared: its Program, what is fed, what comes; how many there are."""
    count = 0
    for family, row in ALL:
        if (
            row.own is not None
            or family.startswith("paddle2.")
            or (chosen and row.op not in chosen)
            or (not chosen and row.op in APART)
        ):
            continue
        for index, sample in enumerate(row.samples):
            case = Case(registry.get(row.op), row, index)
            if not sample.excluded and case.repeatable:
                count += write_case(folder / f"{row.op}.{index}", case)
    return count


def write_case(folder: Path, case: Case) -> bool:
    with device("cpu"):
        outputs = case.call(case.variables([]))
        seeds = case.seeds({name: v.array for name, v in outputs.items()})
    wanted = case.wanted() if seeds else []
    with switched(static_mode, CPUPlace(), np), unique_name.guard(), program_guard(Program(), Program()):
        built = Built(case, seeds if wanted else {}, wanted)
    if built.scope.values:  # SelectedRows, which cannot be fed
        return False
    got = built.run(built.program)
    apart = {slot.name for slot in case.op.outputs if slot.optional or slot.intermediate}
    names = [n for n in built.fetches if n.split(".")[0] not in apart and got[n][0].size]
    feed = {name: value if isinstance(value, LoDTensor) else LoDTensor.of(value) for name, value in built.feed.items()}
    arrays = {f"in/{name}": tensor.array for name, tensor in feed.items()}
    arrays.update({f"out/{built.fetches[name]}": got[name][0] for name in names})
    folder.mkdir()
    np.savez(folder / "arrays.npz", **arrays)
    (folder / "lods.json").write_text(json.dumps({name: tensor.lod() for name, tensor in feed.items()}))
    (folder / "program").write_bytes(built.program.desc.serialize_to_string())
    return bool(names)


def main() -> None:
    """Write all of them and let PaddlePaddle run them."""
    python, *chosen = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        print(write(Path(folder), chosen), "Programs", flush=True)
        done = subprocess.run([python, str(HERE / "run_operators.py"), folder], timeout=3000)
    raise SystemExit(done.returncode)


if __name__ == "__main__":
    main()
