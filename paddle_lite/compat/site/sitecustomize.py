"""Python imports this at its start when `python -m paddle_lite run` has put this folder on PYTHONPATH.

It makes the first `import paddle` install the aliases, and the imports of NumPy, Pillow and PyYAML restore what old code
takes from them; Python's own modules find names that they have dropped. It otherwise leaves the process as it was: this
folder goes off sys.path, and the sitecustomize that would have been imported is. Kept to what any Python 3 understands,
because every Python that the script starts reads it.
"""

import os
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec

_HERE = os.path.dirname(os.path.abspath(__file__))
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(_HERE)))


_OLD_MODULES = ("base64", "collections", "fractions", "inspect", "time")
_OLD_PACKAGES = ("PIL.Image", "PIL.ImageDraw", "PIL.ImageFont", "scipy", "yaml")


class _OnFirstImport:
    """Finds paddle_lite where this file belongs to, `paddle` by installing the aliases, other packages as they used to be."""

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
            return _executed(PathFinder.find_spec(name, path), _with_numpys_names)
        if name in _OLD_MODULES:
            return _executed(PathFinder.find_spec(name, path), _with_pythons_names)
        if name in _OLD_PACKAGES:
            return _executed(PathFinder.find_spec(name, path), _with_dropped_names)
        if name.endswith("_pb2") and not name.startswith("google."):
            return _executed(PathFinder.find_spec(name, path), _as_protoc_makes_it_now)
        return None


def _executed(spec, by):
    """Return a spec whose module is executed by `by(module, execute, spec)`."""
    if spec is None or spec.loader is None:
        return spec
    execute = spec.loader.exec_module
    spec.loader.exec_module = lambda module: by(module, execute, spec)
    return spec


def _with_numpys_names(module, execute, spec):
    execute(module)
    _load("legacy_numpy").restore(module)


def _with_pythons_names(module, execute, spec):
    execute(module)
    _load("legacy_python").restore(module)


def _with_dropped_names(module, execute, spec):
    execute(module)
    _load("legacy_packages").RESTORE[module.__name__](module)


def _as_protoc_makes_it_now(module, execute, spec):
    legacy = _load("legacy_packages")
    if legacy.is_source(spec.origin):
        legacy.execute_pb2(module, execute, spec.origin)
    else:
        execute(module)


def _load(name):
    spec = PathFinder.find_spec(name, [_HERE])
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
for _name in _OLD_MODULES:
    if _name in sys.modules:
        _load("legacy_python").restore(sys.modules[_name])
_chain()
