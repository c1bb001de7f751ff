"""`python -m compatibility`: a tiny project in a Git repository is fetched, run on both sides, compared and reported."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

from compatibility.__main__ import main
from compatibility.catalog import CATALOG, CatalogError, Program, Project, read, read_all
from compatibility.compare import DIFFERS, FAILS, INVALID, WORKS, distance, judge
from compatibility.expected import kept, numbers_of
from compatibility.outputs import numbers_in
from compatibility.page import keep, load, page
from compatibility.run import Outcome, Side, Source, run
from compatibility.sources import fetch

SCRIPT = """
import sys
import numpy as np
import paddle.fluid as fluid
x = fluid.data("x", [None, 2])
loss = fluid.layers.mean(fluid.layers.fc(x, 1))
exe = fluid.Executor(fluid.CPUPlace())
exe.run(fluid.default_startup_program())
print("loss:", exe.run(feed={"x": np.load("x.npy")}, fetch_list=[loss])[0][0] * float(sys.argv[1]), np.random.rand())
"""

TABLE = """
[project]
repository = "someone/tiny"
commit = "{commit}"
version = "first"
[[program]]
name = "train"
folder = "net"
command = ["train.py", "2"]
data = ["make.py", "3"]
numbers = ['loss: (\\S+) (\\S+)']
[[program]]
name = "broken"
folder = "net"
command = ["train.py"]
data = ["make.py", "3"]
seed = 0
"""


def outcome(output: str, status: int = 0) -> Outcome:
    return Outcome(output, status, 1.0)


@pytest.fixture
def catalog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A catalog of one project, whose repository lies in a mirror."""
    monkeypatch.setenv("PADDLE_LITE_CACHE_DIR", str(tmp_path / "cache"))
    repository = tmp_path / "mirror" / "someone+tiny" / "repo"
    (repository / "net").mkdir(parents=True)
    (repository / "net" / "train.py").write_text(SCRIPT)
    git = ["git", "-C", str(repository), "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
        subprocess.run([*git, *words], check=True)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    folder = tmp_path / "catalog"
    (folder / "programs").mkdir(parents=True)
    (folder / "programs" / "tiny.toml").write_text(TABLE.format(commit=commit))
    (folder / "data").mkdir()
    (folder / "data" / "make.py").write_text(
        "import sys, numpy\nnumpy.save('x.npy', numpy.ones([int(sys.argv[1]), 2], 'f'))\n"
    )
    return folder


def test_a_project_is_fetched_run_compared_and_reported(catalog: Path, tmp_path: Path) -> None:
    fluid = tmp_path / "fluid"  # in the place of PaddlePaddle's Python
    fluid.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m paddle_lite run "$@"\n')
    fluid.chmod(0o755)
    words = ["--catalog", str(catalog), "--mirror", str(tmp_path / "mirror"), "--work", str(tmp_path / "work")]
    assert main([*words, "--fluid", str(fluid)]) == 0
    text = (catalog / "compatibility.md").read_text()
    assert "1 programs of 1 projects: 1 work." in text
    assert "| train | `net/train.py 2` | works: 2 numbers, all equal |" in text
    assert "| broken | `net/train.py` | **1.8.5 cannot run it**: IndexError: list index out of range |" in text
    first = (tmp_path / "work" / "tiny" / "train" / "ours" / "output.txt").read_text()
    assert first.startswith("loss: ")
    assert main([*words, "--fluid", str(fluid), "--only", "train"]) == 0  # the other result is kept
    assert "| broken |" in (catalog / "compatibility.md").read_text()


def test_paddle_lite_alone_is_compared_with_the_numbers_that_are_kept(
    catalog: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--catalog", str(catalog), "--mirror", str(tmp_path / "mirror"), "--work", str(tmp_path / "work")]
    words += ["--only", "train"]
    assert main(words) == 0
    assert "tiny train ... not run: its numbers on 1.8.5 are not kept" in capsys.readouterr().out
    tiny = read(catalog / "programs" / "tiny.toml")
    train, _ = tiny.programs
    fetch(tiny, tmp_path / "mirror", sys.executable)
    source = Source(fetch(tiny, None, sys.executable), None, catalog / "data", tmp_path)
    output = run(train, Side("ours", sys.executable), source, tmp_path / "once").output
    numbers = numbers_in(output, train.numbers)

    def verdict(expected: list[list[float]] | None) -> str:
        row = {"verdict": WORKS, "detail": "", "fluid": 1.5, "ours": 2.5, "expected": kept(tiny, train, expected)}
        keep(tiny, {"train": row}, catalog / "results")
        assert main(words) == int(expected is not None and expected != numbers)
        found = load(tiny, catalog / "results")["train"]
        assert found["fluid"] == 1.5 and found["expected"] == row["expected"]
        return str(found["detail"])

    assert verdict(numbers) == "2 numbers, all equal"
    assert verdict([[numbers[0][0], 7.0]]).endswith(", 7 on 1.8.5")
    assert "change from run to run" in verdict(None)


def test_kept_numbers_hold_until_the_program_changes() -> None:
    project, program = Project("a", package="b==1"), Program("c", ["d.py"], numbers=[r"(\S+)", r"(\S+) x"])
    row = {"expected": kept(project, program, [[0.1, 1e-30, float("nan")], [3.0]])}
    (first, second) = numbers_of(project, program, row) or ()
    assert first[:2] == [0.1, 1e-30] and first[2] != first[2] and second == [3.0]
    looser = dataclasses.replace(program, rtol=0.1, what="other words")
    assert numbers_of(project, looser, row)
    for changed in (dataclasses.replace(program, seed=2), dataclasses.replace(program, command=["e.py"])):
        with pytest.raises(KeyError):
            numbers_of(project, changed, row)


def test_another_repository_lies_beside_a_project_as_a_clone(catalog: Path, tmp_path: Path) -> None:
    file = catalog / "programs" / "tiny.toml"
    tiny = read(file)
    beside = f'[[project.beside]]\nrepository = "someone/tiny"\ncommit = "{tiny.commit}"\npaths = ["net"]\n[[program]]'
    file.write_text(file.read_text().replace("[[program]]", beside, 1))
    project = read(file)
    assert (fetch(project, tmp_path / "mirror", sys.executable) / "tiny" / "net" / "train.py").read_text() == SCRIPT
    assert project.source == "github.com/someone/tiny, first; with a clone of github.com/someone/tiny"
    assert not (fetch(tiny, tmp_path / "mirror", sys.executable) / "tiny").exists()


@pytest.mark.parametrize("mode", ["static", "imperative"])
def test_parameters_begin_a_little_off(tmp_path: Path, mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "code").mkdir()
    made = {
        "static": "exe.run(fluid.default_startup_program()); w = fluid.global_scope().find_var('w').get_tensor()",
        "imperative": "fluid.enable_dygraph(); w = fluid.dygraph.Linear(1, 1, weight, False).weight.numpy()",
    }
    script = f"""
import numpy as np, paddle.fluid as fluid
weight = fluid.ParamAttr("w", fluid.initializer.Constant(2.0))
fluid.layers.fc(fluid.data("x", [None, 1]), 1, param_attr=weight, bias_attr=False)
exe = fluid.Executor(fluid.CPUPlace())
{made[mode]}
print("w:", np.array(w).item())
"""
    (tmp_path / "code" / "main.py").write_text(script)
    program = Program("off", ["main.py"], numbers=[r"w: (\S+)"])
    source = Source(tmp_path / "code", None, CATALOG / "data", tmp_path)
    sides = [Side("ours", sys.executable, size) for size in (0.0, 1e-2)]
    first, second = [run(program, side, source, tmp_path / "work") for side in sides]
    assert first.output == "w: 2.0\n"
    assert 0 < distance(program, first, second) < 1e-2


def test_cuda_place_means_the_cpu_for_programs_that_say_so(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "place.py").write_text(
        "import paddle.fluid as fluid\n"
        "for place in fluid.CUDAPlace(0), fluid.core.CUDAPlace(1):\n"
        "    print(isinstance(place, fluid.CPUPlace), isinstance(place, fluid.CUDAPlace))\n"
    )
    source = Source(tmp_path / "code", None, tmp_path, tmp_path)
    program = Program("place", ["place.py"], seed=0, cpu=True)
    outcome = run(program, Side("ours", sys.executable), source, tmp_path / "work")
    assert (outcome.status, outcome.output) == (0, "True False\n" * 2)


def test_a_program_that_never_ends_is_stopped_when_its_numbers_are_enough(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "train.py").write_text(
        "import itertools, time\n"
        "for step in itertools.count():\n"
        "    print('loss', step, flush=True)\n"
        "    print('loss 7', end='', flush=True)  # no whole line: it does not count\n"
        "    time.sleep(0.01)\n"
        "    print()\n"
    )
    source = Source(tmp_path / "code", None, tmp_path, tmp_path)
    program = Program("train", ["train.py"], seed=0, numbers=[r"loss (\d+)"], enough=3, limit=60)
    outcome = run(program, Side("ours", sys.executable), source, tmp_path / "work")
    assert outcome.status == 0
    assert outcome.output.startswith("loss 0\nloss 7\nloss 1\n")
    longer = Outcome(f"{outcome.output}loss 5\n", 0, 1.0)
    assert judge(program, outcome, longer).word == WORKS
    assert judge(program, outcome, Outcome("loss 0\nloss 8\nloss 1\n", 0, 1.0)).word == DIFFERS


def test_wrong_command_lines_say_what_is_missing(
    catalog: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--catalog", str(catalog), "--mirror", str(tmp_path)]
    assert main([*words, "--shake", "1e-6"]) == 2
    assert "--shake runs on 1.8.5: give --fluid" in capsys.readouterr().err
    assert main([*words, "--only", "nothing"]) == 2
    assert "--list shows them" in capsys.readouterr().err
    assert main([*words, "--fluid", "python"]) == 2
    assert "--mirror needs a Git repository" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("fluid", "ours", "word", "detail"),
    [
        (outcome("loss 1.0"), outcome("loss 1.0"), WORKS, "1 numbers, all equal"),
        (outcome("loss 1.0"), outcome("loss 1.0001"), WORKS, "1 numbers, 1e-04 off"),
        (outcome("loss nan"), outcome("loss nan"), WORKS, "all equal"),
        (outcome("loss 1.0"), outcome("loss 1.1"), DIFFERS, "1 of 1 numbers; the first is 1.1, 1 on 1.8.5"),
        (outcome("loss 1.0"), outcome("loss nan"), DIFFERS, "the first is nan"),
        (outcome("loss 1.0\nloss 2.0"), outcome("loss 1.0"), DIFFERS, "1 numbers match"),
        (outcome("loss 1.0"), outcome("KeyError: 'a'\n", 1), FAILS, "KeyError: 'a'"),
        (outcome("loss 1.0"), outcome("", 124), FAILS, "stopped after 1 seconds"),
        (outcome("", 1), outcome("loss 1.0"), INVALID, "exit status 1"),
        (outcome("none"), outcome("none"), INVALID, "nothing that matches"),
    ],
)
def test_verdicts(fluid: Outcome, ours: Outcome, word: str, detail: str) -> None:
    verdict = judge(Program("p", ["p.py"], numbers=[r"loss (\S+)"]), fluid, ours)
    assert verdict.word == word
    assert detail in verdict.detail


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ('[project]\npackage = "a"\n[[program]]\nname = "b"\ncomand = []', "unknown key 'comand'"),
        ('[project]\npackage = "a"\n[[program]]\nname = "b"', "the key 'command' is missing"),
        ('[project]\npackage = "a"\n[[program]]\nname = "b"\ncommand = "b.py"', r"needs list\[str\]"),
        ('[project]\npackage = "a"\n[[program]]\nname = "b"\ncommand = ["b"]\nnumbers = ["loss"]', "no group"),
        ('[project]\npackage = "a"\n[[program]]\nname = "b"\ncommand = ["b"]\ndata = ["none.py"]', "no none.py"),
        ('[project]\npackage = "a"\n[[program]]\nname = "b"\ncommand = ["b"]\nenough = 2', "enough = 2 counts numbers"),
        ('[project]\nrepository = "a/b"\ncommit = "abc"', "all 40 hexadecimal digits"),
        ('[project]\nname = "a"', "either repository"),
        (
            '[project]\npackage = "a"\n[[project.beside]]\nrepository = "a/b"\ncommit = "abc"',
            "all 40 hexadecimal digits",
        ),
        ('[project]\npackage = "a"\n[[project.beside]]\nrepository = "a/b"', "beside: the key 'commit' is missing"),
        ("[projects]", r"needs \[project\]"),
        ("[project", "Expected ']'"),
    ],
)
def test_wrong_tables_are_refused(tmp_path: Path, table: str, complaint: str) -> None:
    file = tmp_path / "programs" / "tiny.toml"
    file.parent.mkdir()
    file.write_text(table)
    with pytest.raises(CatalogError, match=complaint):
        read(file)


def test_the_page_of_this_repository_is_made_of_the_results() -> None:
    written = CATALOG.parent / "docs" / "compatibility.md"
    assert written.read_text(encoding="utf8") == page(read_all(), CATALOG / "results"), "python -m compatibility --page"


MEMBER = """
import os, sys, time
print(*sys.argv[1:], os.environ["TRAINING_ROLE"], os.environ["PADDLE_TRAINER_ID"], os.environ["SERVERS"], flush=True)
if sys.argv[1] == "pserver":
    time.sleep(60)
sys.exit(int(sys.argv[2]) * int(os.environ["STATUS"]))
"""


def test_the_servers_and_trainers_of_a_job(tmp_path: Path) -> None:
    """Servers that never end are ended; a trainer that fails ends the job, and what all have printed follows."""
    source = Source(tmp_path / "project", None, tmp_path / "data", tmp_path / "datasets")
    source.code.mkdir()
    (source.code / "member.py").write_text(MEMBER)
    side = Side("fluid", sys.executable)
    for status in (0, 3):
        program = Program(
            name="job",
            command=["{python}", "member.py", "{role}", "{number}", "{trainers}"],
            servers=1,
            trainers=2,
            environment={"SERVERS": "{endpoints}|{endpoint}|{port}|{ports}|{hosts}", "STATUS": str(status)},
        )
        outcome = run(program, side, source, tmp_path / "work")
        lines = outcome.output.splitlines()
        port = lines[0].split("|")[2]
        text = f"127.0.0.1:{port}|127.0.0.1:{port}|{port}|{port}|127.0.0.1"
        assert outcome.status == status and outcome.seconds < 50
        assert f"trainer 0 2 TRAINER 0 {text}" in lines and f"trainer 1 2 TRAINER 1 {text}" in lines
        assert (f"pserver 0 2 PSERVER 0 {text}" in lines) == bool(status)
        assert "== trainer1" in lines
