"""Models and state dicts that Fluid 1.6 and 1.7 wrote are read here, give their results and are trained on."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import FileFormatError, MissingKeyError
from paddle_lite.io.named_tensors import read_state

from .former_models import NETS, Built, imperative_net, imperative_steps

DATA = Path(__file__).parent / "data" / "former"
VERSIONS = sorted(file.stem for file in DATA.glob("*.zip"))
Files = tuple[Path, dict[str, np.ndarray]]


@pytest.fixture(scope="module", params=VERSIONS)
def files(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("former")
    with zipfile.ZipFile(DATA / f"{request.param}.zip") as archive:
        archive.extractall(folder)
    return folder, dict(np.load(folder / "known.npz"))


def close(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(found, wanted, rtol=2e-5, atol=1e-6)


def test_both_versions_are_there() -> None:
    assert VERSIONS == ["1.6.1", "1.7.2"]


@pytest.mark.parametrize("name", NETS)
@pytest.mark.parametrize("form", ["model", "model in one"])
def test_an_inference_model(files: Files, name: str, form: str) -> None:
    folder, known = files
    exe, built = fluid.Executor(fluid.CPUPlace()), Built(fluid, name)
    names = ("net", "values") if form == "model in one" else (None, None)
    with fluid.scope_guard(fluid.Scope()):
        program, feeds, targets = fluid.io.load_inference_model(str(folder / name / form), exe, *names)
        assert feeds == list(built.feed) and program.lint() == []
        close(exe.run(program, built.feed, targets)[0], known[f"{name} prediction"])


@pytest.mark.parametrize("name", NETS)
@pytest.mark.parametrize("form", ["persistables", "persistables in one", "saved"])
def test_training_goes_on(files: Files, name: str, form: str) -> None:
    folder, known = files
    built = Built(fluid, name)
    with fluid.scope_guard(built.scope):
        if form == "saved":
            fluid.load(built.main, str(folder / name / "saved" / "net"), built.exe)
        else:
            file = "all" if form.endswith("one") else None
            fluid.io.load_persistables(built.exe, str(folder / name / form), built.main, filename=file)
    close(built.prediction(), known[f"{name} prediction"])
    close(built.losses(), known[f"{name} losses"])


@pytest.mark.parametrize("form", ["params", "params in one"])
def test_parameters_alone(files: Files, form: str) -> None:
    folder, known = files
    built = Built(fluid, "words")
    with fluid.scope_guard(built.scope):
        file = "all" if form.endswith("one") else None
        fluid.io.load_params(built.exe, str(folder / "words" / form), built.main, filename=file)
    close(built.prediction(), known["words prediction"])


def test_state_dicts(files: Files, request: pytest.FixtureRequest) -> None:
    folder, known = files
    before_1_7 = "1.6" in request.node.name
    with fluid.dygraph.guard(), fluid.unique_name.guard():
        net = imperative_net(fluid, before_1_7)
        states, of_adam = fluid.dygraph.load_dygraph(str(folder / "imperative" / "net"))
        net.set_dict(states)
        if before_1_7:
            net(fluid.dygraph.to_variable(np.zeros([4, 1, 6, 6], "float32")))
            net.set_dict(states)  # what the first call changed, the statistics of batch norm
        adam = fluid.optimizer.Adam(0.01, parameter_list=net.parameters())
        adam.set_dict(of_adam)
        close(imperative_steps(fluid, net, adam), known["imperative losses"])


def state_file(folder: Path, change: Any) -> str:
    with zipfile.ZipFile(DATA / "1.6.1.zip") as archive:
        content = archive.read("imperative/net.pdparams")
    file = folder / "net.pdparams"
    file.write_bytes(change(content))
    return str(file)


def test_files_with_names(tmp_path: Path) -> None:
    """A file of 1.6 holds each tensor under its name; the bytes in front mean nothing."""
    found = read_state(state_file(tmp_path, lambda content: bytes(256) + content[256:]))
    assert {name: value.shape for name, value in found.items()} == {
        "net/Net_0/Conv2D_0.w_0": (2, 1, 3, 3), "net/Net_0/Conv2D_0.b_0": (2,), "net/Net_0/BatchNorm_0.w_0": (2,),
        "net/Net_0/BatchNorm_0.b_0": (2,), "net/Net_0/BatchNorm_0.w_1": (2,), "net/Net_0/BatchNorm_0.w_2": (2,),
        "net/Net_0/FC_0.w_0": (32, 3), "net/Net_0/FC_0.b_0": (3,),
    }  # fmt: skip
    found = fluid.load_program_state(str(tmp_path / "net"))
    assert found["net/Net_0/FC_0.w_0"].dtype == np.float32


NAME = b"net/Net_0/BatchNorm_0.w_0"
CHANGES = {
    "cut in a tensor": (lambda c: c[:-3], "truncated"),
    "cut between tensors": (lambda c: c[: c.rindex(b"NAME")], "tensor 7 of 8"),
    "more behind": (lambda c: c + b"x", "1 more bytes"),
    "another mark": (lambda c: c.replace(b"NAME" + bytes([25]), b"NANE" + bytes([25]), 1), "NANE"),
    "a long name": (lambda c: c.replace(b"NAME" + bytes([25, 0]), b"NAME" + bytes([25, 250]), 1), "the name of tensor"),
    "a name twice": (lambda c: c.replace(NAME, NAME.replace(b"w_0", b"b_0")), "twice"),
    "no text": (lambda c: c.replace(NAME, b"\xff" * 25), "UTF-8"),
    "neither": (lambda c: bytes(300), "net.pdparams"),
    "empty": (lambda c: b"", "net.pdparams"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_broken_files_with_names(name: str, tmp_path: Path) -> None:
    change, word = CHANGES[name]
    with pytest.raises(FileFormatError, match=word):
        read_state(state_file(tmp_path, change))


def test_states_of_another_optimizer(files: Files) -> None:
    """Only the optimizer's own name is left out of the names of its states."""
    folder, _ = files
    with fluid.dygraph.guard(), fluid.unique_name.guard():
        net = imperative_net(fluid, False)
        _, of_adam = fluid.dygraph.load_dygraph(str(folder / "imperative" / "net"))
        other = fluid.optimizer.Adamax(0.01, parameter_list=net.parameters())
        other.set_dict(of_adam)
        with pytest.raises(MissingKeyError, match="no entry for"):
            imperative_steps(fluid, net, other)
