"""Records every name of PaddlePaddle 1.8.5: `PYTHON tests/fluid/record_names.py`, with the Python that has it.

paddle_lite/core/names_1_8.json holds module -> names, of the modules that can be imported without a parameter server: those that a file
defines, and those that it imports from other files of PaddlePaddle. Names of other packages, `from __future__` and the
like are left out.

paddle_lite/core/imports_1_8.json holds module -> home -> names: those of the names above that the module imports from another
one, home, and does not list in `__all__`. `name=other` is called `other` at home; `name=*` is the module home itself.

paddle_lite/core/star_1_8.json holds module -> home -> names, in the same form, of the modules without `__all__`: what `from module import *`
gives of NumPy and Python's own modules.
"""

import __future__

import importlib
import json
import os
import pkgutil
import sys
import types

HERE = os.path.dirname(os.path.abspath(__file__))
LEFT_OUT = ("paddle.fluid.core_avx", "paddle.fluid.core_noavx", "paddle.fluid.proto", "paddle.fluid.distributed")


def counts(name, value):
    """Whether a name is PaddlePaddle's own."""
    if name.startswith("__"):
        return False
    if isinstance(value, types.ModuleType):
        return value.__name__.split(".")[0] == "paddle"
    if isinstance(value, type(__future__.division)):
        return False
    owner = getattr(value, "__module__", None)
    if owner == "decorator":  # the package with which PaddlePaddle makes its own decorators
        return name != "signature_safe_contextmanager"
    return owner is None or owner.split(".")[0] == "paddle" or not callable(value)


def home_of(name, value):
    """The home of a value and the word for it, or None if it is no module, class or function that another file defines."""
    if isinstance(value, types.ModuleType):
        return value.__name__.replace("core_avx", "core"), name + "=*"
    home = getattr(value, "__module__", None)
    other = getattr(value, "__name__", None)
    if (
        other is None
        or not (str(home) + ".").startswith("paddle.")
        or getattr(sys.modules.get(home), other, None) is not value
    ):
        return None
    return home.replace("core_avx", "core"), name if other == name else "%s=%s" % (name, other)


def imports_of(module, names):
    """home -> words of the names that a module imports for itself."""
    own = module.__name__.replace("core_avx", "core")
    words = {}
    for name in names:
        home = home_of(name, vars(module)[name])
        if home and home[0] != own and name not in getattr(module, "__all__", ()) and home[0] != own + "." + name:
            words.setdefault(home[0], []).append(home[1])
    return {home: " ".join(each) for home, each in words.items()}


def of_python(name):
    """Whether a module is one of Python or NumPy that a program may import."""
    first = name.split(".")[0]
    file = getattr(sys.modules.get(first), "__file__", None) or ""
    of_library = first in sys.builtin_module_names or (file and "site-packages" not in file)
    return not first.startswith("_") and (first == "numpy" or bool(of_library))


def others_of(module):
    """home -> words of the names that `from module import *` gives of Python's modules and NumPy."""
    words = {}
    for name, value in sorted(vars(module).items()):
        if name.startswith("_") or name == "imp" or (counts(name, value) and callable(value)):
            continue  # Python 3.12 has no module imp
        if isinstance(value, types.ModuleType):
            home, word = value.__name__, name + "=*"
        else:
            home, other = getattr(value, "__module__", None), getattr(value, "__name__", None)
            home = {"_functools": "functools", "posixpath": "os.path"}.get(home, home)
            if not other or getattr(sys.modules.get(home), other, None) is not value:
                continue
            word = name if other == name else "%s=%s" % (name, other)
        if of_python(home) and not home.startswith("paddle"):
            words.setdefault(home, []).append(word)
    return {home: " ".join(each) for home, each in words.items()}


def write(name, found):
    with open(os.path.join(HERE, "../../paddle_lite/core", name), "w") as file:
        json.dump(found, file, indent=0, sort_keys=True)
        file.write("\n")


def main():
    import paddle
    import paddle.fluid

    for module in pkgutil.walk_packages(paddle.__path__, "paddle.", onerror=lambda name: None):
        try:
            importlib.import_module(module.name)
        except BaseException as error:
            print("left out:", module.name, repr(error)[:80], file=sys.stderr)
    found, imports, star = {}, {}, {}
    for name, module in sorted(sys.modules.items()):
        if module is not None and (name + ".").startswith("paddle.") and not name.startswith(LEFT_OUT):
            names = sorted(key for key, value in vars(module).items() if counts(key, value))
            found[name] = " ".join(names)
            imports[name] = imports_of(module, names)
            if not hasattr(module, "__all__"):
                star[name] = others_of(module)
    write("names_1_8.json", found)
    write("imports_1_8.json", {module: homes for module, homes in imports.items() if homes})
    write("star_1_8.json", star)


if __name__ == "__main__":
    main()
