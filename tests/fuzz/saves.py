"""Unfinished saves that nobody's save has left: journals with other paths or content, links, pipes and folders in the place of files."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from random import Random

import numpy as np

import paddle_lite.fluid as fluid
from paddle_lite.core.files.saves import BEGIN, END, JOURNAL

from .judging import Ended, judged, limited

TARGETS = (
    "../outside", "/outside", "link/x", ".", "", "a", "b", "m.pdparams", "m.pdopt", "below/../a", "below", "below/a", "x\0y", "x" * 300,
    "/".join("d" * 3000), "\udcff", f"{BEGIN}0{END}/1", f"{BEGIN}0{END}/{JOURNAL}", f"{BEGIN}0{END}", "//a", "~/a", "C:\\a", 5, None,
    ["a"], {}, True, float("inf"),
)  # fmt: skip
CONTENTS = (
    b"", b"{", b"[" * 100_000, b'{"a": 1}', b"\xff\xfe", b"null", b'"a"', b'["a"]' + b" " * 100_000, b"[1e999]",
    b"[" + b'"a",' * 50_000 + b'"b"]', b'{"a":' * 5000,
)  # fmt: skip
FORMS = ("bytes", "saved", "link", "link to itself", "endless", "pipe", "folder")


def draw(random: Random) -> list[tuple[str, object]]:
    """Return what lies in the folder of an unfinished save: pairs of a name and a form, or the content of the journal."""
    journal: object = [random.choice(TARGETS) for _ in range(random.randrange(1, 6))]
    if random.random() < 0.3:
        journal = random.choice((*CONTENTS, random.randbytes(100), *FORMS))
    return [(JOURNAL, journal), *((str(n), random.choice(FORMS)) for n in range(4) if random.random() < 0.7)]


def _placed(path: Path, form: object, outside: Path) -> None:
    """Make what a part says."""
    if isinstance(form, list):
        path.write_text(json.dumps(form))
    elif isinstance(form, bytes):
        path.write_bytes(form)
    elif form == "bytes":
        path.write_bytes(bytes(range(100)))
    elif form == "saved":
        path.write_bytes((outside / "secret").read_bytes())
    elif form == "pipe":
        os.mkfifo(path)
    elif form == "folder":
        path.mkdir()
        (path / "x").write_text("x")
    else:
        path.symlink_to({"link": outside / "secret", "link to itself": path}.get(str(form), "/dev/zero"))


def _seen(outside: Path) -> list[tuple[str, bytes]]:
    return sorted((path.name, path.read_bytes()) for path in outside.iterdir())


def run(parts: list[tuple[str, object]]) -> str:
    """Load a model from a folder with such a save, and save one there; nothing outside of the folder may change."""
    top = Path(tempfile.mkdtemp())
    folder, outside = top / "model", top / "outside"
    staging = folder / f"{BEGIN}0{END}"
    state, name = {"w": np.ones([4], "float32")}, str(folder / "m")
    try:
        outside.mkdir()
        fluid.save_dygraph(state, str(outside / "secret"))
        os.rename(next(outside.iterdir()), outside / "secret")
        fluid.save_dygraph(state, name)
        staging.mkdir()
        (folder / "link").symlink_to(outside)
        for each, form in parts:
            _placed(staging / each, form, outside)
        before, said = _seen(outside), ""
        for call in (lambda: fluid.load_dygraph(name), lambda: fluid.save_dygraph(state, name)):
            try:
                with limited():
                    call()
            except Exception as error:
                said = judged(error) or said
            if _seen(outside) != before or sorted(os.listdir(top)) != ["model", "outside"]:
                raise Ended("outside", "changes files outside of the folder")
        return said
    finally:
        shutil.rmtree(top, ignore_errors=True)
