"""Python imports this at its start when `python -m paddle_lite run` has put this folder on PYTHONPATH.

It makes the first `import paddle` install the aliases, and modules find what they have dropped (dropped.py). It otherwise
leaves the process as it was: this folder goes off sys.path, and the sitecustomize that would have been imported is. Kept to
what any Python 3 understands, because every Python that the script starts reads it.
"""

import os
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec

_HERE = os.path.dirname(os.path.abspath(__file__))
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(_HERE)))


class _OnFirstImport:
    """Finds paddle_lite where this file belongs to, and `paddle` by installing the aliases."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "paddle_lite":
            return PathFinder.find_spec(name, [_ROOT])
        if name == "paddle":
            from paddle_lite.compat import install
            from paddle_lite.compat.finder import AliasFinder

            install()
            return next(finder for finder in sys.meta_path if isinstance(finder, AliasFinder)).find_spec(name)
        return None


def _execute(name, folders):
    """Execute a module of these folders, or of sys.path for None, and return it; None if there is none."""
    spec = PathFinder.find_spec(name, folders)
    if spec is None or spec.loader is None:
        return None
    module = module_from_spec(spec)
    if folders is None:
        sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


sys.meta_path.insert(0, _OnFirstImport)
_execute("dropped", [_HERE]).start()
sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != _HERE]
_execute("sitecustomize", None)  # the one that this one hides, if there is one
