"""Record what CuPy has: names and parameters, which need no GPU. `python record_cupy_api.py FILE` adds to a file what this CuPy has.

The file keeps what all CuPys have that were recorded: run it with the oldest and the newest that are supported.
"""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path


def described(value):
    """Return the parameters of a function, None if Python does not tell them; "class", "value" or "ufunc" for what is none."""
    import cupy

    if inspect.isclass(value) or not callable(value):
        return "class" if inspect.isclass(value) else "value"
    if isinstance(value, cupy.ufunc):
        return "ufunc"
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return None
    return None if any(each.kind is each.VAR_KEYWORD for each in parameters) else [each.name for each in parameters]


def main(file):
    import cupy

    found = {}
    for prefix, module in (("", cupy), ("linalg.", cupy.linalg), ("fft.", cupy.fft), ("ndarray.", cupy.ndarray)):
        names = [name for name in dir(module) if not name.startswith("_")]
        members = {name: getattr(module, name) for name in names}
        found.update({prefix + name: described(v) for name, v in members.items() if not inspect.ismodule(v)})
    path = Path(file)
    before = json.loads(path.read_text()) if path.exists() else {"versions": [], "names": found}
    both = {name: _common(value, found[name]) for name, value in before["names"].items() if name in found}
    versions = sorted({*before["versions"], cupy.__version__})
    lines = [f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in sorted(both.items())]
    body = ",\n".join(lines)
    path.write_text(f'{{"versions": {json.dumps(versions)}, "names": {{\n{body}\n}}}}\n')


def _common(one, other):
    """Return the parameters that both have; None if one of them is not known."""
    if isinstance(one, list) and isinstance(other, list):
        return [name for name in one if name in other]
    return one if one == other else None


if __name__ == "__main__":
    main(sys.argv[1])
