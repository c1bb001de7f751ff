"""Writes docs/conveniences.md. `python tests/conveniences/conveniences_page.py`"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from convenience_rows import ROWS, SETUP

PAGE = Path(__file__).resolve().parents[2] / "docs" / "conveniences.md"
HEAD = """# Conveniences, side by side

What people who know PyTorch, JAX (with Flax and Optax) or Keras 3 reach for, and the line for it here. Every line of the second
column is run by the tests; those of the others are for orientation. `-` says that there is no such line. The lines assume

```python
%s```

Variables of static Programs have the same methods, each one operator of the Program; what needs a value (`item`, `tolist`, `grad`)
says so. Other names say what they are called here: `x.view` is `x.reshape(shape)`, `opt.step` is `opt.minimize(loss)`. NumPy's
functions return what NumPy returns: `np.mean(x)` is a number. Pickles are for one's own use, as they always are: load none
that you did not write; `fluid.save_dygraph` writes files that hold no code.

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
