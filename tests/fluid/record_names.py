"""Records every name of PaddlePaddle 1.8.5: `PYTHON tests/fluid/record_names.py`, with the Python that has it.

paddle_lite/core/names_1_8.json holds module -> names, of the modules that can be imported without a parameter server: those that a file
defines, and those that it imports from other files of PaddlePaddle. Names of other packages, `from __future__` and the
like are left out.
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
    return owner is None or owner.split(".")[0] == "paddle" or not callable(value)


def main():
    import paddle
    import paddle.fluid

    for module in pkgutil.walk_packages(paddle.__path__, "paddle.", onerror=lambda name: None):
        try:
            importlib.import_module(module.name)
        except BaseException as error:
            print("left out:", module.name, repr(error)[:80], file=sys.stderr)
    found = {}
    for name, module in sorted(sys.modules.items()):
        if module is not None and (name + ".").startswith("paddle.") and not name.startswith(LEFT_OUT):
            names = sorted(key for key, value in vars(module).items() if counts(key, value))
            found[name] = " ".join(names)
    with open(os.path.join(HERE, "../../paddle_lite/core/names_1_8.json"), "w") as file:
        json.dump(found, file, indent=0, sort_keys=True)
        file.write("\n")


if __name__ == "__main__":
    main()
