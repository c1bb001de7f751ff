"""Writes docs/errors.md: the ordinary mistakes with what a script shows for each. `python tests/mistakes/mistakes_page.py`"""

from __future__ import annotations

import io
import linecache
import os
import sys
from contextlib import redirect_stderr
from pathlib import Path
from tempfile import TemporaryDirectory

import paddle_lite.fluid as fluid
from paddle_lite.core import unique_name

sys.path.insert(0, str(Path(__file__).parent))
from ordinary_mistakes import IMPORTS, MISTAKES, Mistake

PAGE = Path(__file__).resolve().parents[2] / "docs" / "errors.md"
FILE = "train.py"
HEAD = """# Errors of wrong calls

An error names the call, the argument, what it got, what it needs, and the remedy. Its traceback shows only the lines of your program,
in scripts, threads and notebooks. If the error is caught, for example by `logging.exception` or a test runner, a few
lines of paddle_lite may remain. `FLAGS_full_traceback=1` in the environment, or `fluid.set_flags({'FLAGS_full_traceback': True})`,
shows the full traceback, which a bug report should contain. Internal failures of paddle_lite are always shown in
full, as are all errors in a debugger that installs its own hook.

The tests run the cases below, and `python tests/mistakes/mistakes_page.py` writes this page. Each case begins with

```python
%s```

and, where it says imperative, with `fluid.enable_dygraph()`. Python 3.11 and later also mark the failing part of the line with `^^^`.
"""


def failed(script: str) -> tuple[Exception | None, list[str]]:
    """Run a script; return its error, and the lines that it writes when it ends, without the marks under a line."""
    out, here, failure = io.StringIO(), os.getcwd(), None
    with (
        TemporaryDirectory() as folder,
        unique_name.guard(),
        fluid.program_guard(fluid.Program(), fluid.Program()),
        fluid.scope_guard(fluid.Scope()),
    ):
        os.chdir(folder)
        Path(FILE).write_text(script, encoding="utf-8")
        linecache.checkcache(FILE)
        try:
            exec(compile(script, FILE, "exec"), {"__name__": "__main__"})
        except Exception as error:
            failure = error
            error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next  # the frame of this function
            with redirect_stderr(out):
                sys.excepthook(type(error), error, error.__traceback__)
        finally:
            fluid.disable_dygraph()
            os.chdir(here)
    return failure, [line for line in out.getvalue().splitlines() if line.strip(" ^~")]


def shown(mistake: Mistake) -> list[str]:
    """Return the lines that a script with this mistake writes when it ends."""
    return failed(mistake.script)[1]


def page() -> str:
    """Return the text of the page."""
    parts = [HEAD % IMPORTS]
    for number, mistake in enumerate(MISTAKES, 1):
        kind = "imperative" if mistake.imperative else "static"
        text = "\n".join(shown(mistake))
        parts.append(
            f"## {number}. {mistake.title} ({kind})\n\n```python\n{mistake.lines}```\n\n```text\n{text}\n```\n"
        )
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
