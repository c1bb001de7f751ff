"""Writes docs/conveniences.md. `python tests/conveniences/conveniences_page.py`"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from convenience_rows import ROWS, SETUP

PAGE = Path(__file__).resolve().parents[2] / "docs" / "conveniences.md"
HEAD = """# Common operations, side by side

The table compares common operations with PyTorch, JAX (with Flax and Optax) and Keras 3. The tests run every line of the column
"paddle_lite"; the others are for orientation. `-` means that there is no direct counterpart. The lines assume

```python
%s```

Variables of static Programs have the same methods, each of which appends an operator; a method that needs a value (`item`, `tolist`, `grad`)
raises an error that says so. The error about a name of another library gives the name to use: `x.reshape(shape)` for `x.view`,
`opt.minimize(loss)` for `opt.step`. NumPy's functions return NumPy's types: `np.mean(x)` is a number. Load only pickles that
you have written yourself; `fluid.save_dygraph` writes files that contain no code.

"""


def _cell(text: str) -> str:
    return "-" if text == "-" else f"`{text}`".replace("|", "\\|")


def page() -> str:
    """Return the text of the page."""
    lines = ["| what | paddle_lite | PyTorch | JAX | Keras |", "| --- | --- | --- | --- | --- |"]
    lines += [f"| {r.wish} | {' | '.join(map(_cell, (r.here, r.torch, r.jax, r.keras)))} |" for r in ROWS]
    return HEAD % SETUP + "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
