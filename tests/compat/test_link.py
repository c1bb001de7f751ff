"""`python -m paddle_lite link` and `unlink`: what they write, what they refuse, and that `paddle` is then paddle_lite."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from base64 import urlsafe_b64encode
from hashlib import sha256
from importlib.metadata import distribution, distributions
from pathlib import Path

import pytest

from paddle_lite.cli import main
from paddle_lite.compat import link as linking
from paddle_lite.compat.link import link, linked, unlink
from paddle_lite.core.errors import ModeError
from paddle_lite.version import full_version, own_version

ROOT = Path(__file__).resolve().parents[2]
SAME = """
import pickle, sys, warnings
import paddle
import paddle.fluid as fluid, paddle.fluid.layers as layers, paddle.dataset.mnist, paddle.nn.functional as F
from paddle.fluid.dygraph.nn import Linear
from paddle.fluid.contrib.slim.quantization import QuantizationTransformPass
import paddle_lite, paddle_lite.fluid.dygraph
from paddle_lite.fluid.dygraph.nn import Linear as again
assert paddle is paddle_lite and fluid is paddle_lite.fluid and layers is paddle_lite.fluid.layers
assert F is paddle_lite.nn.functional and paddle.dataset.mnist is paddle_lite.dataset.mnist
assert Linear is again is paddle_lite.fluid.dygraph.Linear is pickle.loads(pickle.dumps(Linear))
names = [name for name in sys.modules if name.startswith("paddle.")]
assert all(sys.modules[name] is sys.modules["paddle_lite" + name[6:]] for name in names) and len(names) > 20
print(paddle.__version__)
"""


def python(*words: str, path: tuple[Path, ...] = (), exe: str = sys.executable) -> subprocess.CompletedProcess[str]:
    """Run Python in the folder of packages, with `path` as its PYTHONPATH."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    env["PYTHONPATH"] = os.pathsep.join(map(str, path))
    return subprocess.run([exe, *words], cwd=path[0] if path else None, env=env, text=True, capture_output=True)


def test_paddle_is_paddle_lite_by_every_route(tmp_path: Path) -> None:
    said = link(str(tmp_path))
    assert str(tmp_path) in said and "unlink" in said
    done = python("-c", SAME, path=(tmp_path, ROOT))
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{full_version}\n"


def test_a_module_of_paddle_is_run_by_its_name(tmp_path: Path) -> None:
    """Its imports of what is beside it are found, although its package has two names."""
    link(str(tmp_path))
    done = python("-m", "paddle.distributed.launch", path=(tmp_path, ROOT))
    assert "the following arguments are required: training_script" in done.stderr


def test_pip_knows_what_was_written(tmp_path: Path) -> None:
    link(str(tmp_path))
    (found,) = distributions(path=[str(tmp_path)])
    assert (found.name, found.version) == ("paddle-lite-link", own_version)
    written = {path.relative_to(tmp_path).as_posix(): path for path in tmp_path.rglob("*") if path.is_file()}
    assert written.keys() == {str(file) for file in found.files or ()}
    for file in found.files or ():
        if file.name != "RECORD":
            data = written[str(file)].read_bytes()
            assert file.hash is not None and file.size == len(data)
            assert file.hash.value == urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()


def test_a_link_is_replaced_and_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as before:
        before.setattr(linking, "own_version", "0.0.1")
        before.setattr(linking, "METADATA", linking.METADATA.replace(own_version, "0.0.1"))
        link(str(tmp_path))
    link(str(tmp_path))
    assert [found.version for found in distributions(path=[str(tmp_path)])] == [own_version]
    python("-c", "import paddle", path=(tmp_path, ROOT))
    assert str(tmp_path) in unlink(str(tmp_path))
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ModeError, match="there is no link"):
        unlink(str(tmp_path))


def test_what_others_put_there_is_not_removed(tmp_path: Path) -> None:
    link(str(tmp_path))
    (tmp_path / "paddle" / "mine.py").write_text("")
    with pytest.raises(ModeError, match=r"paddle/mine\.py in .* was added"):
        unlink(str(tmp_path))
    assert (tmp_path / "paddle" / "__init__.py").exists()


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("paddle/__init__.py", "paddle"),
        ("paddle.py", "paddle.py"),
        ("paddlepaddle_gpu-1.8.5.dist-info/METADATA", "paddlepaddle-gpu 1.8.5"),
    ],
)
@pytest.mark.parametrize("elsewhere", [False, True])
def test_another_paddle_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, what: str, elsewhere: bool
) -> None:
    folder = tmp_path / ("further" if elsewhere else "site")
    (folder / name).parent.mkdir(parents=True)
    (folder / name).write_text("Metadata-Version: 2.1\nName: paddlepaddle-gpu\nVersion: 1.8.5\n")
    monkeypatch.syspath_prepend(str(tmp_path / "further"))
    with pytest.raises(ModeError, match=r"another `paddle` is installed: .*" + what.replace(".", r"\.")):
        link(str(tmp_path / "site"))
    assert not (tmp_path / "site" / "paddle" / "py.typed").exists()
    assert not list(tmp_path.glob("site/paddle_lite_link*"))


def test_a_paddle_of_the_working_directory_is_no_installed_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here" / "paddle").mkdir(parents=True)
    (tmp_path / "here" / "paddle" / "__init__.py").write_text("")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.syspath_prepend(str(tmp_path / "here"))
    link(str(tmp_path / "site"))
    assert (tmp_path / "site" / "paddle" / "__init__.py").exists()


def test_an_error_half_way_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link(str(tmp_path))
    before = {path: path.stat().st_ino for path in tmp_path.rglob("*")}
    rename, calls = os.rename, []

    def failing(source: str, target: str) -> None:
        calls.append(source)
        if len(calls) == 4:  # the old folders are away, one new one is there
            raise OSError("the disk is full")
        rename(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", failing)
        with pytest.raises(OSError, match="the disk is full"):
            link(str(tmp_path))
    assert {path: path.stat().st_ino for path in tmp_path.rglob("*")} == before


def test_the_systems_python_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "EXTERNALLY-MANAGED").write_text("")
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    with pytest.raises(ModeError, match=r"system's package manager.*-m venv"):
        link()
    assert [path.name for path in tmp_path.iterdir()] == ["EXTERNALLY-MANAGED"]


def test_without_paddle_lite_the_link_says_so(tmp_path: Path) -> None:
    link(str(tmp_path))
    done = python("-S", "-c", "import paddle", path=(tmp_path,))
    assert done.stderr.splitlines()[-1].startswith(
        "ModuleNotFoundError: `paddle` is a link to paddle_lite, which is not"
    )


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    monkeypatch.setattr(linking, "_require_own_environment", lambda site: None)
    assert linked().startswith("none")
    assert main(["link"]) == 0 and "paddle_lite" in capsys.readouterr().out
    assert linked() == f"{tmp_path / 'paddle'} (of version {own_version})"
    assert main(["unlink"]) == 0 and "Removed" in capsys.readouterr().out
    assert main(["unlink"]) == 1
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1 and "there is no link" in error


@pytest.mark.slow
def test_in_an_environment_from_which_pip_removes_it(tmp_path: Path) -> None:
    venv.create(tmp_path / "env", symlinks=os.name != "nt", with_pip=False)
    exe = str(tmp_path / "env" / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    site = Path(python("-c", "import sysconfig; print(sysconfig.get_path('purelib'))", exe=exe).stdout.strip())
    numpy = Path(str(distribution("numpy").locate_file("")))
    (site / "ours.pth").write_text(f"{ROOT}\n{numpy}\n")
    done = python("-m", "paddle_lite", "link", exe=exe)
    assert done.returncode == 0, done.stderr
    assert python("-c", "import paddle.fluid as f; print(f.layers.fc.__name__)", exe=exe).stdout == "fc\n"
    done = python("-m", "pip", "--python", exe, "uninstall", "--yes", "paddle-lite-link")
    assert done.returncode == 0, done.stderr
    assert [path.name for path in site.iterdir()] == ["ours.pth"]
