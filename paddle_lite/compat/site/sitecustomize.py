"""Python imports this at its start when `python -m paddle_lite run` has put this folder on PYTHONPATH.

It makes the first `import paddle` install the aliases and `import numpy` restore what old code takes from it, and
otherwise leaves the process as it was: this folder goes off sys.path, and the sitecustomize that would have been imported
is. Kept to what any Python 3 understands, because every Python that the script starts reads it.
"""

import os
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec

_HERE = os.path.dirname(os.path.abspath(__file__))
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(_HERE)))


class _OnFirstImport:
    """Finds paddle_lite where this file belongs to, `paddle` by installing the aliases, NumPy as it used to be."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "paddle_lite":
            return PathFinder.find_spec(name, [_ROOT])
        if name == "paddle":
            from paddle_lite.compat import install
            from paddle_lite.compat.finder import AliasFinder

            install()
            return next(finder for finder in sys.meta_path if isinstance(finder, AliasFinder)).find_spec(name)
        if name == "numpy":
            return _restoring(PathFinder.find_spec(name, path))
        return None


def _restoring(spec):
    """NumPy's spec, so that the names that it has dropped are added as soon as it has been executed."""
    if spec is None or spec.loader is None:
        return spec
    execute = spec.loader.exec_module

    def exec_module(module):
        execute(module)
        _load(PathFinder.find_spec("legacy_numpy", [_HERE])).restore(module)

    spec.loader.exec_module = exec_module
    return spec


def _load(spec):
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _chain():
    """Import the sitecustomize that this one hides, if there is one."""
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != _HERE]
    spec = PathFinder.find_spec("sitecustomize")
    if spec is not None and spec.loader is not None:
        sys.modules["sitecustomize"] = module_from_spec(spec)
        spec.loader.exec_module(sys.modules["sitecustomize"])


sys.meta_path.insert(0, _OnFirstImport)
_chain()
