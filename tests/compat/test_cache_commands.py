"""`python -m paddle_lite cache`: what is on disk, removing it, and compiling a model's kernels beforehand."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.cli import cache, installing, layers, main, networks
from paddle_lite.cli import warm as warming
from paddle_lite.cli.warm import warm
from paddle_lite.core.errors import ArgumentValueError
from paddle_lite.core.files.paths import cache_dir
from paddle_lite.kernels import installed_kernels
from paddle_lite.kernels.compiler.objects import made_by
from paddle_lite.kernels.cpu.math import block_products
from paddle_lite.kernels.kernel_cache import MAGIC
from paddle_lite.static.plan.fusion.kernel import Kernel

ROOT = Path(__file__).parents[2]
MODELS = ROOT / "tests" / "interop" / "data" / "exchange" / "fluid"
MLP = MODELS / "mlp" / "model"
NONE_INSTALLED = "installed  no kernels: they are compiled at their first use"


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PADDLE_LITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("PADDLE_LITE_KERNEL_CACHE", raising=False)
    monkeypatch.setattr(installed_kernels, "FOLDER", str(tmp_path / "installed"))
    monkeypatch.setenv(installed_kernels.VARIABLE, "0")  # for processes that tests start


def keep(name: str, maker: str, used: int, size: int = 500_000) -> None:
    """Put a file into the cache."""
    directory = cache_dir("kernels")
    assert directory is not None
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, f"{name}.kernel")
    head = MAGIC + maker.encode() + b"\n" if maker else b""
    with open(path, "wb") as file:
        file.write(head.ljust(size, b"?"))
    os.utime(path, (used, used))


def output(words: list[str], capsys: pytest.CaptureFixture[str], code: int = 0) -> str:
    """What a command prints."""
    assert main(["cache", *words]) == code
    done = capsys.readouterr()
    return done.err if code else done.out


@pytest.mark.usefixtures("own_cache")
def test_info_says_where_how_many_and_what_made_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert output(["info"], capsys).splitlines() == [
        f"directory  {cache_dir('kernels')}",
        "kernels    0 files, 0.0 MB; at most 4096 are kept",
        NONE_INSTALLED,
    ]
    for k in range(3):
        keep(f"now{k}", made_by(), 1_700_000_000 + k)
    keep("old", "paddle_lite 0.0.1, Python 3.9.0", 1_600_000_000)
    keep("broken", "", 1_500_000_000)
    lines = output(["info"], capsys).splitlines()
    assert lines[1] == "kernels    5 files, 2.5 MB; at most 4096 are kept"
    assert re.fullmatch(rf" +3 +1.5 MB  last used 2023-11-1\d \d\d:\d\d  this version: {made_by()}", lines[2])
    assert re.fullmatch(r" +1 +0.5 MB  last used 2020-09-1\d \d\d:\d\d  paddle_lite 0.0.1, Python 3.9.0", lines[3])
    assert re.fullmatch(r" +1 +0.5 MB  last used 2017-07-1\d \d\d:\d\d  damaged, or of another form", lines[4])
    assert lines[5] == NONE_INSTALLED
    assert lines[6] == "remove     python -m paddle_lite cache clear [--others]"


@pytest.mark.usefixtures("own_cache")
def test_info_says_when_there_is_no_cache(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PADDLE_LITE_KERNEL_CACHE", "0")
    assert "kernels; not used: PADDLE_LITE_KERNEL_CACHE=0\n" in output(["info"], capsys)
    monkeypatch.setattr(cache, "cache_dir", lambda *parts: None)
    none = "directory  none: no home directory (set PADDLE_LITE_CACHE_DIR)"
    assert output(["info"], capsys).splitlines() == [none, NONE_INSTALLED]


@pytest.mark.usefixtures("own_cache")
def test_what_convolutions_were_measured_is_listed_and_removed(capsys: pytest.CaptureFixture[str]) -> None:
    directory = cache_dir("conv")
    assert directory is not None
    os.makedirs(directory)
    Path(directory, "other.json").write_text("{}" * 500_000)
    said = output(["info"], capsys)
    assert "measured   1 file of convolutions (FLAGS_conv_autotune), 1.0 MB\n" in said
    assert output(["clear", "--others"], capsys) == "1 file removed, 1.0 MB\n"
    assert "measured" not in output(["info"], capsys)


@pytest.mark.usefixtures("own_cache")
def test_clear_says_how_much_it_removed(capsys: pytest.CaptureFixture[str]) -> None:
    keep("now", made_by(), 1000)
    keep("old", "paddle_lite 0.0.1", 1000, size=2_000_000)
    assert output(["clear", "--others"], capsys) == "1 file removed, 2.0 MB\n"
    keep("other", made_by(), 1000)
    assert output(["clear"], capsys) == "2 files removed, 1.0 MB\n"
    assert output(["clear"], capsys) == "0 files removed, 0.0 MB\n"


@pytest.mark.usefixtures("own_cache")
def test_a_file_that_cannot_be_removed_is_an_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    keep("now", made_by(), 1000)

    def refused(path: str) -> None:
        raise PermissionError(13, "Permission denied", "now.kernel")

    monkeypatch.setattr("paddle_lite.kernels.kernel_cache.os.unlink", refused)
    said = output(["clear"], capsys, code=1)
    assert said == "python -m paddle_lite cache clear: [Errno 13] Permission denied: 'now.kernel'\n"


@pytest.mark.usefixtures("own_cache")
def test_what_was_warmed_is_found_by_the_next_process() -> None:
    said = [
        subprocess.run(
            [sys.executable, "-m", "paddle_lite", "cache", "warm", str(MLP), "--batch", "4000"],
            cwd=ROOT, capture_output=True, text=True, check=True, timeout=100,
        ).stdout
        for _ in range(2)
    ]  # fmt: skip
    counts = [re.match(r"(\d+) kernels compiled and (\d+) found for a batch of 4000, in ", line) for line in said]
    (compiled, found), (again, loaded) = ((int(m[1]), int(m[2])) for m in counts if m)
    assert (found, again) == (0, 0) and 0 < loaded <= compiled  # what a kernel calls is loaded with it
    assert len(os.listdir(str(cache_dir("kernels")))) == compiled + 1  # what unpacks the arguments of all kernels


@pytest.mark.parametrize("name", networks.PROGRAMS)
def test_common_networks_learn(name: str) -> None:
    program, startup, executor = fluid.Program(), fluid.Program(), fluid.Executor()
    with fluid.program_guard(program, startup), fluid.scope_guard(fluid.Scope()), fluid.unique_name.guard():
        feed, fetches = networks.PROGRAMS[name]()
        executor.run(startup)
        losses = [float(executor.run(program, feed=feed, fetch_list=fetches)[0][0]) for _ in range(4)]
        assert program.lint() == []
    assert np.isfinite(losses).all() and losses[-1] < losses[0]


@pytest.mark.parametrize("every", [9, pytest.param(1, marks=pytest.mark.judge)])
def test_layers_whose_kernels_are_installed_train(every: int) -> None:
    rows = list(layers.rows())
    assert len({row.name for row in rows}) == len(rows) > 100
    for row in rows[::every]:
        assert np.isfinite(installing.train_layer(row)).all(), row.name


def test_all_widths_of_products_are_among_the_installed_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    called = set()
    monkeypatch.setattr(block_products, "parallel_for", lambda kernel, *arguments, **more: called.add(kernel))
    layers.direct_calls()
    before = set(called)
    for columns in range(1, 300):
        for rows in (4, 40):
            x, y, out = (np.ones(shape, np.float32) for shape in ((rows, 600), (600, columns), (rows, columns)))
            block_products.multiply(x, y, out)
    assert called == before


@pytest.mark.usefixtures("own_cache")
def test_without_a_model_common_networks_are_trained(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    trained: list[str] = []
    monkeypatch.setattr(warming, "PROGRAMS", {"regression": networks.regression})
    monkeypatch.setattr(warming, "IMPERATIVE", {"digits": lambda: trained.append("digits")})
    said = output(["warm"], capsys)
    counts = re.match(r"(\d+) kernels compiled and \d+ found for common networks, in ", said)
    assert counts and int(counts[1]) >= 1 and trained == ["digits"]  # fused kernels, at once
    assert len(os.listdir(str(cache_dir("kernels")))) == int(counts[1])


def test_a_common_network_is_trained_in_imperative_mode() -> None:
    first, second = networks.imperative_digits()
    assert second < first


SCRIPT = """
import sys
import numpy as np
import paddle.fluid as fluid

x = fluid.data("x", [None, 5])
y = fluid.layers.tanh(fluid.layers.scale(x, 2.0, 1.0))
for _ in range(3):
    fluid.Executor().run(feed={"x": np.ones([4, 5], "float32")}, fetch_list=[y])
print(sys.argv[1:])
sys.exit(int(sys.argv[1]))
"""


@pytest.mark.usefixtures("own_cache")
def test_a_script_is_run_with_its_words_and_its_exit_code(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "train.py"
    script.write_text(SCRIPT)
    for compiled in ("1 kernel", "0 kernels"):
        assert main(["cache", "warm", str(script), "3", "--batch", "x"]) == 3
        words, said = capfd.readouterr().out.splitlines()
        assert words == "['3', '--batch', 'x']" and said.startswith(f"{compiled} compiled by train.py, in ")
    assert len(os.listdir(str(cache_dir("kernels")))) == 2


def test_warming_needs_a_cache(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PADDLE_LITE_KERNEL_CACHE", "0")
    assert "cache warm: the cache got no directory, needs one to keep kernels in" in output(["warm"], capsys, code=1)


@pytest.mark.parametrize("model", sorted(path.parent.name for path in MODELS.glob("*/model")))
def test_every_kind_of_model_is_run(model: str) -> None:
    assert "for a batch of 2, in" in warm(str(MODELS / model / "model"), batch=2)


def test_kernels_of_operators_that_are_fused_are_compiled_too(monkeypatch: pytest.MonkeyPatch) -> None:
    fused: list[Kernel] = []

    def compiled(kernel: Kernel) -> Callable[..., bool]:
        fused.append(kernel)
        return lambda *_: False  # as for arrays that do not fit it

    monkeypatch.setattr(Kernel, "compiled", compiled)
    warm(str(MLP), batch=2)
    assert len(fused) == 2  # elementwise_add with relu, and with scale


def saved(folder: Path, combined: bool = False) -> str:
    """A model with an input of any size, one of sequences and one of integers."""
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        image = fluid.data("image", [None, 3, None, None])
        words = fluid.data("words", [None, 1], "int64", lod_level=1)
        scores = fluid.data("scores", [None, 2], lod_level=2)
        bag = fluid.layers.sequence_pool(fluid.embedding(words, [10, 4]), "sum")
        pooled = fluid.layers.pool2d(fluid.layers.conv2d(image, 2, 3), global_pooling=True)
        outs = [fluid.layers.fc([bag, pooled], 2), fluid.layers.sequence_pool(scores, "sum")]
        exe = fluid.Executor()
        exe.run(fluid.default_startup_program())
        params = "all" if combined else None
        fluid.io.save_inference_model(str(folder), ["image", "words", "scores"], outs, exe, params_filename=params)
    return str(folder)


@pytest.mark.parametrize("combined", [False, True], ids=["a_file_for_each", "one_file"])
def test_inputs_get_the_shapes_and_the_sequences_that_they_need(tmp_path: Path, combined: bool) -> None:
    folder, seen = saved(tmp_path / "model", combined), []
    run = fluid.Executor.run

    def watched(self: fluid.Executor, *args: object, feed: dict, **kwargs: object) -> object:
        seen.append(feed)
        return run(self, *args, feed=feed, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fluid.Executor, "run", watched)
        warm(folder, 3, {"image": [3, 3, 9, 9]})
    feed, same = seen  # checked, then fused
    assert feed is same
    assert feed["image"].shape == (3, 3, 9, 9) and 0 <= feed["image"].min() < feed["image"].max() <= 1
    assert feed["words"].recursive_sequence_lengths() == [[8, 8, 8]]
    assert feed["scores"].recursive_sequence_lengths() == [[1, 1, 1], [8, 8, 8]]
    assert np.array(feed["words"]).dtype == np.int64


@pytest.mark.parametrize(
    ("shapes", "text"),
    [
        ({}, r"input 'image' of shape \[-1, 3, -1, -1\] got no number .*: --shape image=2,3,D,D"),
        ({"image": [2, 3]}, r"--shape of input 'image' .* got \[2, 3\], needs a shape that fits"),
        ({"image": [2, 4, 9, 9]}, r"got \[2, 4, 9, 9\], needs a shape that fits"),
        ({"picture": [1]}, r"--shape got 'picture', needs an input: image, words, scores"),
    ],
    ids=["unknown", "rank", "channels", "name"],
)
def test_shapes_that_are_missing_or_wrong(tmp_path: Path, shapes: dict[str, list[int]], text: str) -> None:
    with pytest.raises(ArgumentValueError, match=text):
        warm(saved(tmp_path / "model"), 2, shapes)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["/nowhere"], "cache warm: MODEL got /nowhere, needs a folder"),
        ([str(MLP), "--batch", "0"], "cache warm: --batch got 0, needs 1 or more"),
        ([str(MLP), "--shape", "x"], "cache warm: --shape got 'x', needs NAME=D,D,..."),
        ([str(MLP), "--shape", "=1"], "cache warm: --shape got '=1', needs NAME=D,D,..."),
        ([str(MLP), "--params", "none"], "none"),
        (["nowhere.py"], "cache warm: SCRIPT got nowhere.py, needs a file"),
    ],
    ids=["folder", "batch", "no_shape", "no_name", "params", "script"],
)
def test_errors_are_one_line(words: list[str], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = output(["warm", *words], capsys, code=1)
    assert text in said and said.startswith("python -m paddle_lite ") and said.count("\n") == 1


def test_a_program_without_outputs_is_no_model(tmp_path: Path) -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        fluid.layers.relu(fluid.data("x", [2, 2]))
        content = fluid.default_main_program().desc.serialize_to_string()
    (tmp_path / "__model__").write_bytes(content)
    with pytest.raises(ArgumentValueError, match="a Program without outputs, needs an inference model"):
        warm(str(tmp_path))
