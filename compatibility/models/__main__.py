"""Exchange the models of `nets` with PaddlePaddle 1.8.5: `python -m compatibility.models --fluid PYTHON [--only NETWORK ...]`.

It writes `results.json` beside this file and `docs/models.md`; with `--only`, it prints what it finds and writes neither.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from .nets import FIELDS, NETS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGE, RESULTS = ROOT / "docs" / "models.md", HERE / "results.json"
OWN, HERE_READ, THERE_READ = "1.8.5 reads its own", "read here", "read by 1.8.5"
SIDES = (HERE_READ, THERE_READ)
BOUNDS = {"training": 1e-4, "resumed training": 1e-4, "training Program": 1e-4}
PREDICTION = 2e-5  # the bound of all others, as a part of the largest result
Found = dict[str, float | str]
Results = dict[str, dict[str, Found]]
"""Network -> HERE_READ, THERE_READ, OWN -> what is checked -> how far off it is, or the error."""

TEXT = """\
# Models exchanged with PaddlePaddle 1.8.5

{count} small networks, of every kind that Fluid was used for, are trained a little and saved on both sides; each side reads what the
other has written. This command does that, and writes this page:

    python -m compatibility.models --fluid PYTHON-OF-1.8.5

Of a network are compared: what it predicts from the files of `save_inference_model`, in a folder, in one file, and by
the predictor of `AnalysisConfig`; its initialization from a seed, by the program and by the saved startup Program; the losses
of training from the start, of training that `fluid.load` resumes, and of the saved Program of training with `load_persistables`. Results
are equal if they have the same shape, dtype and sequences, and differ by no more than {prediction:.0e} of the largest number; losses after some
steps of training may differ by {training:.0e}.

| networks | | files of 1.8.5, read here | files of paddle_lite, read by 1.8.5 |
| --- | --- | --- | --- |
{fields}

{differing}
## Networks

| network | field | optimizer | what it is |
| --- | --- | --- | --- |
{networks}
"""
DIFFERING = """\
The others:

| network | what | side | why |
| --- | --- | --- | --- |
{rows}
"""


def equal(what: str, found: float | str) -> bool:
    """Return whether a check found the same."""
    return not isinstance(found, str) and found <= BOUNDS.get(what, PREDICTION)


def asked(python: list[str], action: str, folder: Path, names: list[str]) -> None:
    """Run one side."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "GLOG_minloglevel": "3", "PYTHONWARNINGS": "ignore"}
    environment["PYTHONPATH"] = str(ROOT) if python[0] == sys.executable else ""
    command = [*python, str(HERE / "side.py"), action, str(folder), *names]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    for line in done.stdout.splitlines():
        if line.startswith(action):  # 1.8.5's passes print their names
            print(line, flush=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}")


def exchange(fluid: str, names: list[str], folder: Path) -> Results:
    """Write networks on both sides and read them on the other; where 1.8.5 does not read ours, it is asked for its own."""
    theirs, ours = folder / "theirs", folder / "ours"
    there, here = [fluid], [sys.executable, "-m", "paddle_lite", "run"]
    asked(there, "write", theirs, names)
    asked(here, "write", ours, names)
    asked(here, "check", theirs, names)
    asked(there, "check", ours, names)
    results: Results = {
        name: {HERE_READ: found(theirs / name), THERE_READ: found(ours / name), OWN: {}} for name in names
    }
    unread = sorted({name for name, _, side, *_ in differing(results) if side == THERE_READ})
    if unread:
        asked(there, "check", theirs, unread)
    for name in unread:
        results[name][OWN] = found(theirs / name)
    return results


def found(below: Path) -> Found:
    """Return what a check has found in a network's folder."""
    if not (below / "known.npz").exists():
        return {"network": "it could not be written"}
    read = json.loads((below / "found.json").read_text())
    return {what: value if isinstance(value, str) else float(f"{value:.0e}") for what, value in read.items()}


def differing(results: Results) -> list[tuple[str, str, str, str, str]]:
    """Return the checks that did not find the same: the network, what, the side, what was found, and why."""
    rows = []
    for name, sides in results.items():
        for side in SIDES:
            for what, value in sides[side].items():
                if not equal(what, value):
                    own = sides[OWN].get(what, 0.0)
                    there = side == THERE_READ and not equal(what, own)
                    why = "1.8.5 fails at its own files, too" if there else NETS[name].apart
                    rows.append((name, what, side, value if isinstance(value, str) else f"{value:.0e}", why))
    return rows


def page(results: Results) -> str:
    """Return the page."""
    fields = []
    for field in FIELDS:
        names = [name for name in results if NETS[name].field == field]
        counts = [_counted([results[name][side] for name in names]) for side in SIDES]
        fields.append(f"| {field} | {len(names)} | {' | '.join(counts)} |")
    fields.append(f"| all | {len(results)} | {' | '.join(_counted([r[s] for r in results.values()]) for s in SIDES)} |")
    together: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for name, what, side, value, why in differing(results):
        together.setdefault((name, why or f"not known: {value}"), []).append((what, side))
    rows = [
        f"| {name.replace('_', ' ')} | {', '.join(dict.fromkeys(what for what, _ in checks))} "
        f"| {', '.join(dict.fromkeys(side for _, side in checks))} | {why} |"
        for (name, why), checks in together.items()
    ]
    networks = [
        f"| {name.replace('_', ' ')} | {NETS[name].field} | {NETS[name].optimizer or ''} | {NETS[name].build.__doc__} |"
        for name in results
    ]
    return TEXT.format(
        count=len(results),
        prediction=PREDICTION,
        training=max(BOUNDS.values()),
        fields="\n".join(fields),
        differing=DIFFERING.format(rows="\n".join(rows)) if rows else "",
        networks="\n".join(networks),
    )


def _counted(sides: list[Found]) -> str:
    """Return how many of all checks found the same."""
    counts = Counter(equal(what, value) for side in sides for what, value in side.items())
    return f"{counts[True]} of {counts.total()}"


def main() -> int:
    """Run the command line; return 0 if every difference has a reason."""
    parser = argparse.ArgumentParser(prog="python -m compatibility.models", description=__doc__)
    parser.add_argument("--fluid", metavar="PYTHON", help="the Python in which PaddlePaddle 1.8.5 is installed")
    parser.add_argument("--only", metavar="NETWORK", nargs="+", default=[], choices=list(NETS), help="these networks")
    parser.add_argument("--page", action="store_true", help="run nothing, and write the page from the kept results")
    given = parser.parse_args()
    if given.page:
        results = json.loads(RESULTS.read_text())
    elif not given.fluid:
        parser.error("needs --fluid, the Python in which PaddlePaddle 1.8.5 is installed, or --page")
    else:
        with tempfile.TemporaryDirectory() as folder:
            results = exchange(given.fluid, given.only or list(NETS), Path(folder))
    rows = differing(results)
    for row in rows:
        print(*row, sep="; ")
    if not given.only:
        RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf8")
        PAGE.write_text(page(results), encoding="utf8")
    return int(any(not why for *_, why in rows))


if __name__ == "__main__":
    sys.exit(main())
