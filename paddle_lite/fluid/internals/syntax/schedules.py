"""Calls of imperative mode as calls of static mode: `to_variable` as `assign`, learning rate schedules as their functions."""

from __future__ import annotations

import ast
import inspect
import sys
from typing import Any

from ....core import unique_name
from ....core.errors import ArgumentTypeError, IndexRangeError, NotSupportedError, UnknownNameError, message
from .apis import full_name, is_dygraph_api, is_to_variable
from .building import dygraph_class_to_static_api, to_assign_node
from .steps import Step
from .trees import dotted, kind, statement
from .var_types import AstNodeWrapper

_OTHER_NAMES = {
    "Linear": {"output_dim": "size"},
    "BilinearTensorProduct": {"output_dim": "size"},
    "PRelu": {"input": "x"},
}
"""Classes of imperative mode -> arguments that their functions of static mode call otherwise."""


def _named(node: Any) -> Any:
    """Return the function or class of paddle_lite that a call names, such as `fluid.layers.fc(x)`.

    Raises:
        UnknownNameError: there is none of that name.
    """
    first, *others = full_name(node).split(".")
    found: Any = sys.modules["paddle_lite"] if first == "paddle" else None
    for name in others:
        found = getattr(found, name, None)
    if found is None or not others:
        needs = "a function or class by its full name, such as fluid.layers.fc"
        raise UnknownNameError(message("the translation", "a call", dotted(node.func) or kind(node.func), needs))
    return found


def update_args_of_func(node: Any, dygraph_node: Any, method_name: str) -> None:
    """Name the arguments of a call by those of a method of a class.

    Arguments:
        node: the call, which is changed.
        dygraph_node: a call of the class.
        method_name: "__init__" or "forward".

    Raises:
        ArgumentTypeError: the method is another one.
        UnknownNameError: there is no such class.
        IndexRangeError: the method does not have as many arguments.

    >>> import ast
    >>> call, schedule = [ast.parse(text).body[0].value for text in ('f(10, 20)', 'fluid.dygraph.NoamDecay()')]
    >>> update_args_of_func(call, schedule, '__init__')
    >>> ast.unparse(call)
    'f(d_model=10, warmup_steps=20)'
    """
    if method_name not in ("__init__", "forward"):
        needs = "'__init__' or 'forward'"
        raise ArgumentTypeError(message("update_args_of_func", "method_name", repr(method_name), needs))
    method = getattr(_named(dygraph_node), method_name, None)
    names = [] if method is None else list(inspect.signature(method).parameters)[1:]
    if len(node.args) > len(names):
        got = f"{len(node.args)} arguments"
        needs = f"at most {len(names)}, which {dotted(dygraph_node.func)}.{method_name} has"
        raise IndexRangeError(message("update_args_of_func", "node", got, needs))
    words = [f"{name}=value_{i}" for i, name in enumerate(names[: len(node.args)])]
    values = {f"value_{i}": value for i, value in enumerate(node.args)}
    node.keywords = [*statement(f"f({', '.join(words)})", node, **values).value.keywords, *node.keywords]
    node.args = []


def _add_keywords_to(node: Any, dygraph_api_name: str) -> None:
    """Rename the arguments of a call of a class to those of its function of static mode, and add what that one needs.

    Arguments:
        node: the call, which is changed.
        dygraph_api_name: the name of the class, such as "Linear".
    """
    others = _OTHER_NAMES.get(dygraph_api_name, {})
    for word in node.keywords:
        word.arg = others.get(word.arg, word.arg)
    if dygraph_api_name == "Linear":
        node.keywords += statement("f(num_flatten_dims=-1)", node).value.keywords


def _delete_keywords_from(node: Any) -> None:
    """Remove the arguments of a call that the called function does not have.

    Arguments:
        node: the call, which is changed; it names its function by the full name.

    Raises:
        UnknownNameError: there is no such function.
    """
    known = inspect.signature(_named(node)).parameters
    node.keywords = [word for word in node.keywords if word.arg in known]


def to_static_ast(node: Any, class_node: Any) -> Any:
    """Make a call of the function of static mode of the call of a schedule.

    Arguments:
        node: the call, such as `decay()`, which is changed.
        class_node: the call that has made the schedule, such as `fluid.dygraph.NoamDecay(10, 20)`.

    Returns:
        The node.

    Raises:
        ArgumentTypeError: `node` is no call.
        NotSupportedError: the class is another one than those of schedules.

    >>> import ast
    >>> call, schedule = [ast.parse(text).body[0].value for text in ('decay()', 'fluid.dygraph.NoamDecay(10, 20)')]
    >>> ast.unparse(to_static_ast(call, schedule))
    'fluid.layers.noam_decay(10, 20)'
    """
    if kind(node) != "Call":
        raise ArgumentTypeError(message("to_static_ast", "node", kind(node), "a node Call"))
    name = dotted(class_node.func).split(".")[-1]
    if name not in dygraph_class_to_static_api:
        needs = f"a schedule: {', '.join(dygraph_class_to_static_api)}"
        fix = "Layers are called as they are, in both modes"
        raise NotSupportedError(message("to_static_ast", "class_node", name, needs, fix))
    if node.args:
        update_args_of_func(node, class_node, "forward")
    node.func = statement(f"fluid.layers.{dygraph_class_to_static_api[name]}", node).value
    node.args = [*class_node.args]
    node.keywords = [*node.keywords, *class_node.keywords]
    _add_keywords_to(node, name)
    _delete_keywords_from(node)
    return node


class BasicApiTransformer(Step):
    """Makes calls of static mode of `to_variable` and of learning rate schedules, in assignments and statements.

    A schedule becomes a function where it is called, and what makes it is left out; so are other calls of imperative mode
    whose result is not used.
    """

    def __init__(self, wrapper_root: AstNodeWrapper) -> None:
        super().__init__(wrapper_root)
        self._feeds: dict[str, int | None] = {}

    def transform(self) -> AstNodeWrapper:
        """Change the tree, and return its wrapper."""
        for function in [node for node in ast.walk(self.root) if kind(node) == "FunctionDef"] or [self.root]:
            _Calls(function, self._feeds).visit(function)
        return self.wrapper_root

    def get_feed_name_to_arg_id(self) -> dict[str, int | None]:
        """Return, for each `to_variable(x)`, a new name and the place of x among the arguments; None where it is none."""
        return self._feeds


class _Calls(ast.NodeTransformer):
    """Rewrites the statements of one function, not those of functions in it."""

    def __init__(self, function: Any, feeds: dict[str, int | None]) -> None:
        self.function, self.feeds = function, feeds
        arguments = getattr(getattr(function, "args", None), "args", [])
        self.places = [getattr(each, "id", None) or each.arg for each in arguments]
        self.schedules: dict[str, Any] = {}

    def visit_FunctionDef(self, node: Any) -> Any:
        """Visit the function that was given."""
        return self.generic_visit(node) if node is self.function else node

    def visit_Assign(self, node: Any) -> Any:
        """Rewrite the calls in an assignment, and leave it out if it makes a schedule."""
        if kind(node.value) == "Call" and self._is_schedule(node.value):
            update_args_of_func(node.value, node.value, "__init__")
            self.schedules.update({dotted(target): node.value for target in node.targets})
            return None
        node.value = self._rewritten(node.value)
        return node

    def visit_Expr(self, node: Any) -> Any:
        """Rewrite the calls of a statement, and leave it out if its value could be the effect of imperative mode alone."""
        if kind(node.value) == "Call" and is_dygraph_api(node.value):
            return None
        node.value = self._rewritten(node.value)
        return node

    @staticmethod
    def _is_schedule(node: Any) -> bool:
        return is_dygraph_api(node) and dotted(node.func).split(".")[-1] in dygraph_class_to_static_api

    def _rewritten(self, value: Any) -> Any:
        called: list[Any] = [node for node in ast.walk(value) if kind(node) == "Call"]
        for node in called:
            made_by = self.schedules.get(dotted(node.func))
            if made_by is not None:
                to_static_ast(node, made_by)
            elif is_to_variable(node):
                self._note(node)
                to_assign_node(node)
        return value

    def _note(self, node: Any) -> None:
        values = [*node.args, *(word.value for word in node.keywords if word.arg == "value")]
        if values and kind(values[0]) == "Name":
            name = values[0].id
            self.feeds[unique_name.generate(name)] = self.places.index(name) if name in self.places else None
