"""Every name of PaddlePaddle 1.8.5 below `paddle`, and why those are missing that are.

`paddle_lite/core/names_1_8.json` holds module -> names (`record_names.py` records it). `names_missing.txt` holds reasons, each with lines
`module: names` below; `*` stands for a module that is missing as a whole.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.children import run

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RECORDED = ROOT / "paddle_lite" / "core" / "names_1_8.json"

LIST_MISSING = """
import importlib, json, sys, warnings
warnings.simplefilter("ignore")
import paddle_lite.compat
paddle_lite.compat.install()
missing = {}
for module, names in json.load(open(sys.argv[1])).items():
    try:
        found = importlib.import_module(module)
    except ImportError:
        missing[module] = ["*"]
        continue
    missing[module] = [
        name for name in names.split()
        if not hasattr(found, name) or getattr(type(getattr(found, name)), "not_yet_available", False)
    ]
print(json.dumps(missing))
"""


def explained() -> dict[tuple[str, str], str]:
    """(module, name) -> the reason why it is missing."""
    reasons: dict[tuple[str, str], str] = {}
    reason = ""
    for line in (HERE / "names_missing.txt").read_text(encoding="utf8").splitlines():
        if line.startswith("# "):
            reason = line[2:]
        elif line:
            module, _, names = line.partition(": ")
            reasons.update({(module, name): reason for name in names.split()})
    return reasons


def missing() -> set[tuple[str, str]]:
    """Each (module, name) that is missing, found in a process of its own, where `paddle` is paddle_lite."""
    done = run("-c", LIST_MISSING, RECORDED)
    assert done.returncode == 0, done.stderr
    return {(module, name) for module, names in json.loads(done.stdout).items() for name in names}


def test_the_names_that_are_missing_have_a_reason() -> None:
    """Prints how many names are missing, and which lines can go since the name is here."""
    lacking, reasons = missing(), explained()
    recorded = {module: names.split() for module, names in json.loads(RECORDED.read_text()).items()}
    count = sum(len(recorded[module]) if name == "*" else 1 for module, name in lacking)
    print(f"{count} of {sum(map(len, recorded.values()))} names are missing")
    print("here now:", *sorted(f"{module}.{name}" for module, name in reasons.keys() - lacking), sep="\n  ")
    assert sorted(lacking - reasons.keys()) == []


LIST_PATHS = """
import importlib, json, sys, warnings
warnings.simplefilter("ignore")
for module in json.load(open(sys.argv[1])):
    try:
        importlib.import_module("paddle_lite" + module.removeprefix("paddle"))
    except ModuleNotFoundError as error:
        print(module, "is not yet available" in str(error))
"""


def test_programs_that_say_paddle_lite_find_every_module() -> None:
    """`from paddle_lite.fluid.dygraph.nn import Linear`: where only the first word of an import was replaced."""
    done = run("-c", LIST_PATHS, RECORDED)
    assert done.returncode == 0, done.stderr
    absent = {module for module, name in explained() if name == "*"}
    assert sorted(done.stdout.splitlines()) == sorted(f"{module} True" for module in absent)


def test_the_imports_are_recorded_names() -> None:
    recorded = {module: {*names.split()} for module, names in json.loads(RECORDED.read_text()).items()}
    for module, homes in json.loads(RECORDED.with_name("imports_1_8.json").read_text()).items():
        for home, words in homes.items():
            for name, _, other in (word.partition("=") for word in words.split()):
                assert name in recorded[module], (module, name)
                assert other == "*" or home not in recorded or (other or name) in recorded[home], (home, other or name)


def test_the_reasons_are_about_recorded_names() -> None:
    recorded = {module: {*names.split(), "*"} for module, names in json.loads(RECORDED.read_text()).items()}
    assert [key for key in explained() if key[1] not in recorded.get(key[0], ())] == []
    assert all(len(reason.split()) > 3 for reason in explained().values())
