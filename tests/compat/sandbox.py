"""A small paddle_lite of our own: the real compat, cli and core with a Fluid of a few lines, and a rival `paddle`."""

from __future__ import annotations

import compileall
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import paddle_lite.compat

PACKAGE = Path(paddle_lite.compat.__file__).parent.parent

TABLE = """
from ..core.lazy import namespace
__getattr__, __dir__ = namespace(__name__, '''
    fluid.core: core_avx=*
    modules: core extras
    here: data
    [layers] Functions.
    : functions.*
    here: nn tensor rnn
    [dygraph] Imperative mode.
    classes: Conv2D to_variable
    here: base nn
''')
"""
COUNTED = "import sys; sys.loaded = [*getattr(sys, 'loaded', []), __name__]\n"
FILES = {
    "paddle_lite/__init__.py": "",
    "paddle_lite/fluid/__init__.py": f"{TABLE}def data(): return 'the function'\n",
    "paddle_lite/fluid/core.py": "class VarDesc: pass\n",
    "paddle_lite/functions.py": "def fc(): return 'fc'\ndef rnn(): return 'rnn'\n__all__ = ['fc', 'rnn']\n",
    "paddle_lite/classes.py": "class Conv2D: pass\ndef to_variable(x): return x\n",
    "paddle_lite/fluid/extras/__init__.py": "",
    "paddle_lite/fluid/extras/quantize.py": "depth = 3\n",
    "paddle_lite/optimizer/__init__.py": "class AdamOptimizer: pass\n",
    "paddle_lite/distributed/__init__.py": "",
    "paddle_lite/distributed/launch.py": "import sys\nprint(__name__, sys.argv[1:])\n",
    "paddle_lite/kernels/__init__.py": "",
    "rival/paddle/__init__.py": "raise RuntimeError('this is the other paddle')\n",
    "rival/paddle/fluid/__init__.py": "",
}


@dataclass
class Sandbox:
    """A folder with the small paddle_lite, and Python processes that run in a subfolder `work` of it."""

    root: Path

    def write(self, name: str, text: str) -> Path:
        """Write a file into the folder that the processes run in."""
        path = self.root / "work" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def python(self, *words: str, path: tuple[str, ...] = (), **more: Any) -> subprocess.CompletedProcess[str]:
        """Run `python *words` where `import paddle` is the rival unless paddle_lite takes its place."""
        dropped = ("PYTHON", "PADDLE_LITE", "COV_")
        env = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
        env["PYTHONPATH"] = os.pathsep.join([*path, str(self.root), str(self.root / "rival")])
        env["PYTHONDONTWRITEBYTECODE"] = "1"
        return subprocess.run(
            [sys.executable, *words], cwd=self.root / "work", env=env, text=True, capture_output=True, **more
        )

    def run(self, *words: str, path: tuple[str, ...] = (), **more: Any) -> subprocess.CompletedProcess[str]:
        """Run `python -m paddle_lite run *words`."""
        return self.python("-m", "paddle_lite", "run", *words, path=path, **more)

    def out(self, code: str) -> str:
        """What a program prints under `run`; it must end well."""
        done = self.run("-c", code)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


def build(root: Path) -> Sandbox:
    """Write the folder."""
    ignore = shutil.ignore_patterns("__pycache__")
    for name in ("core", "compat", "cli"):
        shutil.copytree(PACKAGE / name, root / "paddle_lite" / name, ignore=ignore)
    for name in ("version.py", "__main__.py"):
        shutil.copy(PACKAGE / name, root / "paddle_lite" / name)
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(COUNTED + text)
    compileall.compile_dir(root / "paddle_lite", quiet=1)  # once, and not in each process
    (root / "work").mkdir()
    return Sandbox(root)
