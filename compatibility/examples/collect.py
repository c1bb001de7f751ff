"""Print the examples of the installed PaddlePaddle's docstrings as JSON: `PYTHON-OF-1.8.5 collect.py`.

The keys are NAME#K, the K-th example of a function, class or method; the values are source text. Nothing of it is kept in this
repository. This file runs on Python 3.7.
"""

import importlib
import inspect
import json
import pkgutil
import re
import sys
import textwrap
import warnings

START = re.compile(r"(\s*)\.\.\s*code-block::\s*python")


def blocks(docstring):
    """Return the source of each `code-block:: python` of a docstring."""
    lines, found, i = inspect.cleandoc(docstring).splitlines(), [], 0
    while i < len(lines):
        start, i = START.match(lines[i]), i + 1
        if start:
            body = []
            while i < len(lines) and (not lines[i].strip() or lines[i][: len(start.group(1)) + 1].isspace()):
                body.append(lines[i])
                i += 1
            found.append(textwrap.dedent("\n".join(body)).strip() + "\n")
    return found


def described(package):
    """Yield the name and the docstring of each function, class and method below a package."""
    for info in pkgutil.walk_packages(package.__path__, package.__name__ + ".", onerror=lambda name: None):
        if re.search(r"proto|\.libs|\.tests", info.name):
            continue
        try:
            module = importlib.import_module(info.name)
        except Exception:  # it needs a package that is not installed
            continue
        for name, value in sorted(vars(module).items()):
            if not (inspect.isfunction(value) or inspect.isclass(value)):
                continue
            if value.__module__.startswith(package.__name__):
                where = value.__module__ + "." + name
                yield where, value.__doc__
                for key, member in sorted(vars(value).items()) if inspect.isclass(value) else ():
                    member = getattr(member, "__func__", None) or getattr(member, "fget", None) or member
                    yield where + "." + key, getattr(member, "__doc__", None) if callable(member) else None


def examples(package):
    """Return the examples of a package, each once."""
    found = {}
    for name, docstring in described(package):
        for k, source in enumerate(blocks(docstring) if isinstance(docstring, str) else ()):
            found.setdefault(source, f"{name}#{k}")
    return {name: source for source, name in found.items()}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    import paddle

    text = json.dumps(examples(paddle))
    sys.stdout.write("\n" + text + "\n")
