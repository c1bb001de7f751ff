"""What calls in syntax trees and functions belong to, and functions of trees: what 1.8.5's translation asks of them."""

from __future__ import annotations

import inspect
import linecache
import types
from collections.abc import Callable
from typing import Any

from ....core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ....core.missing import public_name
from ....jit.declared import ProgramTranslator
from ....jit.operators.calls import call
from .trees import ast_to_source_code, kind

__all__ = [
    "ast_to_func",
    "convert_call",
    "is_api_in_module",
    "is_builtin",
    "is_dygraph_api",
    "is_numpy_api",
    "is_paddle_api",
    "is_paddle_func",
    "is_to_variable",
    "recover_globals_attribute",
]

convert_call = call

DECORATOR_NAMES = ["declarative", "dygraph_to_static_func"]


def is_api_in_module(node: Any, module_prefix: str) -> bool:
    """Return whether a call is one of a function or class that a module, or one below it, defines.

    Names stand for what programs usually import under them: fluid, paddle, np, dygraph, layers, to_variable.

    Arguments:
        node: a node Call.
        module_prefix: the name of the module, such as "paddle.fluid.dygraph".

    Returns:
        Whether it is.

    Raises:
        ArgumentTypeError: `node` is no call.
    """
    if kind(node) != "Call":
        raise ArgumentTypeError(message("is_api_in_module", "node", kind(node), "a node Call"))
    home = full_name(node.func)
    return home == module_prefix or home.startswith(f"{module_prefix}.")


_ROOTS = {
    "fluid": "paddle.fluid",
    "paddle": "paddle",
    "np": "numpy",
    "dygraph": "paddle.fluid.dygraph",
    "layers": "paddle.fluid.layers",
    "to_variable": "paddle.fluid.dygraph.to_variable",
}


def full_name(node: Any) -> str:
    """Return the full dotted name of what is called, "" if its first word is no module."""
    while kind(node) == "Call":
        node = node.func
    first, *others = ast_to_source_code(node).strip().split(".")
    return ".".join([_ROOTS[first], *others]) if first in _ROOTS else ""


def is_dygraph_api(node: Any) -> bool:
    """Return whether a call is one of imperative mode's own functions and classes.

    Arguments:
        node: a node Call.

    Returns:
        Whether it is.

    Raises:
        ArgumentTypeError: it is another node.

    >>> import ast
    >>> from paddle_lite.fluid.dygraph.dygraph_to_static.utils import is_dygraph_api
    >>> [is_dygraph_api(ast.parse(text).body[0].value) for text in ('fluid.dygraph.Linear(1, 2)', 'fluid.layers.relu(x)')]
    [True, False]
    """
    return is_api_in_module(node, "paddle.fluid.dygraph")


def is_paddle_api(node: Any) -> bool:
    """Return whether a call is one of PaddlePaddle's functions and classes.

    Arguments:
        node: a node Call.

    Returns:
        Whether it is.

    Raises:
        ArgumentTypeError: it is another node.
    """
    return is_api_in_module(node, "paddle")


def is_numpy_api(node: Any) -> bool:
    """Return whether a call is one of NumPy's functions.

    Arguments:
        node: a node Call.

    Returns:
        Whether it is.

    Raises:
        ArgumentTypeError: it is another node.
    """
    return is_api_in_module(node, "numpy")


def is_to_variable(node: Any) -> bool:
    """Return whether a call is `to_variable(...)`, by this name or with a module before it.

    Arguments:
        node: a node Call.

    Returns:
        Whether it is.

    Raises:
        ArgumentTypeError: it is another node.
    """
    return is_api_in_module(node, "paddle.fluid.dygraph.to_variable")


def is_builtin(func: Any) -> bool:
    """Return whether a function or class is one of Python's own.

    Arguments:
        func: the function.

    Returns:
        Whether it is.

    >>> from paddle_lite.fluid.dygraph.dygraph_to_static.convert_call_func import is_builtin
    >>> is_builtin(len), is_builtin(is_builtin)
    (True, False)
    """
    import builtins

    return inspect.isbuiltin(func) or (isinstance(func, type) and vars(builtins).get(func.__name__) is func)


def is_paddle_func(func: Any) -> bool:
    """Return whether a function or class is one of paddle_lite's.

    Arguments:
        func: the function.

    Returns:
        Whether it is.
    """
    return str(getattr(inspect.unwrap(func), "__module__", "")).split(".")[0] == "paddle_lite"


def recover_globals_attribute(src_obj: Any, dst_obj: Any) -> None:
    """Give a function the global names of another one that it does not have.

    Arguments:
        src_obj: the function that has them.
        dst_obj: the function that gets them.
    """
    for name, value in getattr(src_obj, "__globals__", {}).items():
        dst_obj.__globals__.setdefault(name, value)


def ast_to_func(ast_root: Any, dyfunc: Callable, delete_on_exit: bool = True) -> tuple[Callable, str]:
    """Return the function of a syntax tree.

    Arguments:
        ast_root: a tree that defines a function of the name of `dyfunc`.
        dyfunc: the function whose global names and outer variables it sees.
        delete_on_exit: accepted for code of 1.8.5; no file is written, `inspect.getsource` finds the text in any case.

    Returns:
        (the function, the name of its file in tracebacks).

    Raises:
        ArgumentTypeError: `ast_root` is no syntax tree, or `dyfunc` is no function.
        ArgumentValueError: the tree defines no such function.

    >>> import ast
    >>> from paddle_lite.fluid.dygraph.dygraph_to_static.utils import ast_to_func
    >>> def double(x):
    ...     return 2 * x
    >>> function, _ = ast_to_func(ast.parse('def double(x): return 3 * x'), double)
    >>> function(2)
    6
    """
    if not any(base.__name__ == "AST" for base in type(ast_root).__mro__):  # that of ast, or of gast
        raise ArgumentTypeError(message("ast_to_func", "ast_root", describe(ast_root), "a syntax tree"))
    function = inspect.unwrap(getattr(dyfunc, "__func__", dyfunc))
    if not isinstance(function, types.FunctionType):
        raise ArgumentTypeError(message("ast_to_func", "dyfunc", describe(dyfunc), "a Python function"))
    text = ast_to_source_code(ast_root)
    path = f"<translated {function.__name__} at {id(ast_root):#x}>"
    outer = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    names = {**function.__globals__, **{name: cell.cell_contents for name, cell in outer.items() if _filled(cell)}}
    exec(compile(text, path, "exec"), names)
    made = names.get(function.__name__)
    if not callable(made):
        needs = f"the definition of {function.__name__}"
        raise ArgumentValueError(message("ast_to_func", "ast_root", "a tree without it", needs))
    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
    return made, path


def _filled(cell: Any) -> bool:
    """Return whether an outer variable of a function has a value."""
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True


def is_defined_in(obj: Any, module_prefix: str) -> bool:
    """Return whether a module whose name begins so defines a function or class, or is it.

    Arguments:
        obj: any object.
        module_prefix: the beginning of the module's name, such as "paddle.fluid".
    """
    module = inspect.getmodule(obj)
    name = "" if module is None else module.__name__
    return (public_name(name) if name.partition(".")[0] == "paddle_lite" else name).startswith(module_prefix)


def translated(dygraph_func: Callable) -> Callable:
    """Return the translation of a function, as `ProgramTranslator.get_func` does."""
    return ProgramTranslator().get_func(dygraph_func)
