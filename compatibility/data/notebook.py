"""Writes the code of a notebook as a script: `notebook.py NOTEBOOK SCRIPT`; commands of the shell are left out."""

from __future__ import annotations

import json
import sys
from pathlib import Path

if __name__ == "__main__":
    notebook, script = sys.argv[1:]
    cells = json.loads(Path(notebook).read_text(encoding="utf8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    lines = [line for source in sources for line in source.splitlines() if not line.startswith(("!", "%"))]
    Path(script).write_text("\n".join(["display = print", *lines]) + "\n", encoding="utf8")
