"""The steps of the translation of imperative code, each on a syntax tree: 1.8.5's names for the converters of `jit`.

Trees are those of `ast` or of the package `gast`; a step changes the tree that it gets. What a step writes calls the run-time
operators of `paddle_lite.jit.operators`, which each function imports at its head, so that its text runs by itself.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from typing import Any

from ....core.errors import ArgumentTypeError, IndexRangeError, NotSupportedError, describe, message
from ....jit.converters import ORDER, Context, calls, control, expressions, jumps, lists, shapes, slices
from ....jit.converters.context import Functions
from ....jit.pyct.templates import RUNTIME, expression, statements
from .apis import DECORATOR_NAMES
from .trees import dotted, is_gast, kind, require_tree
from .var_types import AstNodeWrapper, StaticAnalysisVisitor

Converter = Callable[[ast.FunctionDef, Context], ast.FunctionDef]

_IMPORT = f"from paddle_lite.jit import operators as {RUNTIME}"
_IMPORTED = ast.dump(ast.parse(_IMPORT).body[0])


class _Heads(Functions):
    """Rewrites the conditions of `if` and `while` and what `for` goes over, and no other expressions."""

    def __init__(self, context: Context, kinds: tuple[type, ...]) -> None:
        super().__init__(context)
        self.kinds = kinds

    def visit_If(self, node: Any) -> Any:
        """Rewrite `and`, `or`, `not` and chains of comparisons in a condition."""
        self.generic_visit(node)
        if type(node) in self.kinds:
            node.test = expressions._Expressions(self.context).visit(node.test)
        return node

    visit_While = visit_If

    def visit_For(self, node: ast.For) -> Any:
        """Let `range` and its kin take Variables; take apart what `_marked` has put together."""
        self.generic_visit(node)
        if ast.For in self.kinds:
            call = node.iter
            if isinstance(call, ast.Call) and dotted(call.func) == f"{RUNTIME}.until":
                items, stop = call.args
                node.until = (stop.body.id,)  # type: ignore[attr-defined]
                node.iter = items
            node.iter = calls._Calls(self.context).visit(node.iter)
        return node


def _of(*kinds: type) -> Converter:
    """Return the step that rewrites statements of some kinds to calls of run-time operators."""

    def convert(node: ast.FunctionDef, context: Context) -> ast.FunctionDef:
        return control.transform(_Heads(context, kinds).visit(node), context, kinds)

    return convert


class _Marked(ast.NodeTransformer):
    """Writes into the tree when a `for` ends by a flag, which the step after `jumps` reads from an attribute of the node."""

    def visit_For(self, node: ast.For) -> Any:
        """`for x in items` -> `for x in _jst.until(items, lambda: flag)`"""
        self.generic_visit(node)
        for name in getattr(node, "until", ()):
            node.iter = expression("_jst.until(items, lambda: flag)", node.iter, items=node.iter, flag=name)
        return node


def _without_jumps(node: ast.FunctionDef, context: Context) -> ast.FunctionDef:
    return _Marked().visit(jumps.transform(node, context))


class _Prints(Functions):
    def visit_Call(self, node: ast.Call) -> Any:
        """`print(x)` -> `_jst.call(print)(x)`"""
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "print":
            node.func = expression("_jst.call(function)", node, function=node.func)
        return node


def _prints(node: ast.FunctionDef, context: Context) -> ast.FunctionDef:
    return _Prints(context).visit(node)


class _Outermost(ast.NodeTransformer):
    """Converts the functions that are in no other function, and lets them import the run-time operators."""

    def __init__(self, converters: tuple[Converter, ...], taken: set[str]) -> None:
        self.converters = converters
        self.context = Context(None, taken)

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        """Convert the methods of a class."""
        outer, self.context.class_name = self.context.class_name, node.name
        self.generic_visit(node)
        self.context.class_name = outer
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        """Convert a function."""
        node.body = [each for each in node.body if ast.dump(each) != _IMPORTED]  # of an earlier step
        for convert in self.converters:
            node = convert(node, self.context)
        if any(isinstance(each, ast.Name) and each.id == RUNTIME for each in ast.walk(node)):
            first = node.body[0]
            place = 1 if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) else 0
            node.body[place:place] = statements(_IMPORT, first)
        return node


def converted_tree(root: Any, converters: tuple[Converter, ...]) -> None:
    """Apply converters to each function of a tree, which is changed."""
    gast = sys.modules["gast"] if is_gast(root) else None
    tree = gast.gast_to_ast(root) if gast is not None else root
    ast.fix_missing_locations(tree)
    taken = {getattr(n, "id", None) or getattr(n, "name", None) or "" for n in ast.walk(tree)}
    tree = ast.fix_missing_locations(_Outermost(converters, taken).visit(tree))
    root.__dict__.update(vars(gast.ast_to_gast(tree) if gast is not None else tree))


class Step:
    """A step of the translation.

    Arguments:
        wrapper_root: the tree, as `StaticAnalysisVisitor(tree).get_node_wrapper_root()` gives it.

    Raises:
        ArgumentTypeError: it is something else.
    """

    converters: tuple[Converter, ...] = ()

    def __init__(self, wrapper_root: AstNodeWrapper) -> None:
        if not isinstance(wrapper_root, AstNodeWrapper):
            needs = "an AstNodeWrapper: StaticAnalysisVisitor(tree).get_node_wrapper_root()"
            raise ArgumentTypeError(message(type(self).__name__, "wrapper_root", describe(wrapper_root), needs))
        self.wrapper_root = wrapper_root
        self.root = wrapper_root.node

    def transform(self) -> Any:
        """Change the tree."""
        converted_tree(self.root, self.converters)


class BreakContinueTransformer(Step):
    """Sets flags in place of `break` and `continue`, which the conditions of loops and of what follows read."""

    converters = (_without_jumps,)


class LoopTransformer(Step):
    """Makes calls of run-time operators of loops: `while` operators of the Program where Variables decide, else Python's."""

    converters = (_of(ast.While, ast.For),)


class IfElseTransformer(Step):
    """Makes calls of run-time operators of `if` and `a if test else b`: both branches are built where a Variable decides."""

    converters = (expressions.transform, _of(ast.If))


class CallTransformer(Step):
    """Lets called functions be translated when they are called."""

    converters = (calls.transform,)


class ListTransformer(Step):
    """Makes calls of run-time operators of what lists do, for those that are arrays of the Program."""

    converters = (lists.transform, slices.transform)


class TensorShapeTransformer(Step):
    """Makes calls of run-time operators of `x.shape`, whose sizes may be known to the running Program only."""

    converters = (shapes.transform,)


class PrintTransformer(Step):
    """Lets `print` of a Variable print its value when the Program runs."""

    converters = (_prints,)


class DygraphToStaticAst:
    """All steps on one tree.

    >>> import ast
    >>> from paddle_lite.fluid.dygraph.dygraph_to_static.utils import ast_to_source_code
    >>> translation = DygraphToStaticAst()
    >>> wrapper = translation.get_static_ast(ast.parse('def f(x): return not x'))
    >>> print(ast_to_source_code(wrapper.node).strip())
    def f(x):
        from paddle_lite.jit import operators as _jst
        return _jst.not_(x)
    >>> translation.get_module_name()
    'f'
    """

    def __init__(self) -> None:
        self._name = ""
        self._feeds: dict[str, int | None] = {}

    def get_static_ast(self, root: Any) -> AstNodeWrapper:
        """Translate a tree, which is changed.

        Arguments:
            root: the tree, whose functions are translated; the first of them is the one that is meant.

        Returns:
            Its wrapper.

        Raises:
            ArgumentTypeError: it is no tree.
            IndexRangeError: it has no function.
            NotSupportedError: a function has other decorators than those that ask for the translation.
        """
        require_tree("root", root)
        wrapper = StaticAnalysisVisitor(root).get_node_wrapper_root()
        assert wrapper is not None
        self.transfer_from_node_type(wrapper)
        return wrapper

    def transfer_from_node_type(self, node_wrapper: AstNodeWrapper) -> None:
        """Translate the tree of a wrapper."""
        from .schedules import BasicApiTransformer

        root = node_wrapper.node
        functions: list[Any] = [node for node in ast.walk(root) if kind(node) == "FunctionDef"]
        if not functions:
            raise IndexRangeError(message("DygraphToStaticAst", "root", "a tree without one", "a function"))
        for function in functions:
            _strip_decorators(function)
        self._name = functions[0].name
        calls_of_mode = BasicApiTransformer(node_wrapper)
        calls_of_mode.transform()
        self._feeds = calls_of_mode.get_feed_name_to_arg_id()
        converted_tree(root, tuple(converter.transform for converter in ORDER))

    def get_module_name(self) -> str:
        """Return the name of the function."""
        return self._name

    def get_feed_name_to_idx(self) -> dict[str, int | None]:
        """Return, for each `to_variable(x)`, a name and the place of x among the arguments; None where it is none."""
        return self._feeds


def _strip_decorators(function: Any) -> None:
    """Remove the decorators that ask for the translation.

    Raises:
        NotSupportedError: there are others.
    """
    for node in function.decorator_list:
        name = dotted(node.func if kind(node) == "Call" else node)
        if name.split(".")[-1] not in DECORATOR_NAMES:
            got = f"the decorator {name}"
            needs = f"no decorators but {' and '.join(DECORATOR_NAMES)}"
            raise NotSupportedError(message("DygraphToStaticAst", function.name, got, needs, "Remove it"))
    function.decorator_list = []
