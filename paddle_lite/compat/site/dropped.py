"""Gives modules back what they have dropped since 2018-2020, when they are imported; `start` begins with it.

Loaded by sitecustomize.py under `python -m paddle_lite run`, and by `%load_ext paddle_lite`. Kept to what any Python 3 understands.
"""

import os
import sys
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import module_from_spec

_HERE = os.path.dirname(os.path.abspath(__file__))
_RESTORED = {  # module -> the files here whose `restore` gives it back what it has dropped
    "numpy": ("legacy_numpy", "legacy_methods"),
}
for _file, _names in (
    ("legacy_python", "base64 cgi collections fractions inspect platform time unittest"),
    (
        "legacy_methods",
        "array builtins configparser html.parser json random threading unittest.case xml.etree.ElementTree",
    ),
    ("legacy_packages", "PIL PIL.Image PIL.ImageDraw PIL.ImageFont yaml"),
    ("legacy_science", "matplotlib matplotlib.cm matplotlib.figure matplotlib.style pandas scipy scipy.misc"),
):
    _RESTORED.update((_name, (_file,)) for _name in _names.split())
_MOVED = {  # module that is gone -> the module that has its functions
    "sklearn.cross_validation": "sklearn.model_selection",
    "sklearn.externals.joblib": "joblib",
    "sklearn.externals.six": "six",
    "sklearn.grid_search": "sklearn.model_selection",
}
_loaded = {}


def start():
    """Restore the modules that are imported, and from now on those that will be. Calling it again changes nothing."""
    if _Finder in sys.meta_path:
        return
    sys.meta_path.insert(0, _Finder)
    for name in _RESTORED:
        if name in sys.modules:
            _restore(sys.modules[name])


class _Finder:
    """Finds modules as they used to be."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in _RESTORED:
            return _executed(PathFinder.find_spec(name, path), _with_dropped_names)
        if name in _MOVED and PathFinder.find_spec(name, path) is None:
            return ModuleSpec(name, _Moved(_MOVED[name]))
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


def _with_dropped_names(module, execute, spec):
    execute(module)
    _restore(module)


def _restore(module):
    for file in _RESTORED[module.__name__]:
        _load(file).restore(module)


class _Moved:
    """Loads a module that is gone as the one that has its functions now."""

    def __init__(self, now):
        self.now = now

    def create_module(self, spec):
        module = import_module(self.now)
        self.spec = module.__spec__
        return module

    def exec_module(self, module):
        module.__spec__ = self.spec  # which the import has replaced


def _as_protoc_makes_it_now(module, execute, spec):
    legacy = _load("legacy_packages")
    if legacy.is_source(spec.origin):
        legacy.execute_pb2(module, execute, spec.origin)
    else:
        execute(module)


def _load(name):
    if name not in _loaded:
        spec = PathFinder.find_spec(name, [_HERE])
        _loaded[name] = module_from_spec(spec)
        spec.loader.exec_module(_loaded[name])
    return _loaded[name]
