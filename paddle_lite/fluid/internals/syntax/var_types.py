"""StaticAnalysisVisitor: the types that the expressions and names of a syntax tree can have."""

from __future__ import annotations

import ast
from itertools import product
from typing import Any

from .trees import dotted, kind, library, reads_array, require_tree

Types = set[int]


class NodeVarType:
    """The types, by the numbers of PaddlePaddle 1.8.5."""

    ERROR = -1
    UNKNOWN = 0
    STATEMENT = 1
    CALLABLE = 2
    NONE = 100
    BOOLEAN = 101
    INT = 102
    FLOAT = 103
    STRING = 104
    TENSOR = 105
    NUMPY_NDARRAY = 106
    LIST = 200
    SET = 201
    DICT = 202
    PADDLE_DYGRAPH_API = 300
    PADDLE_CONTROL_IF = 301
    PADDLE_CONTROL_WHILE = 302
    PADDLE_CONTROL_FOR = 303
    PADDLE_RETURN_TYPES = 304
    TENSOR_TYPES = frozenset({TENSOR, PADDLE_RETURN_TYPES})

    @staticmethod
    def binary_op_output_type(in_type1: int, in_type2: int) -> int:
        """Return the type of what an arithmetic operator gives.

        >>> NodeVarType.binary_op_output_type(NodeVarType.INT, NodeVarType.FLOAT) == NodeVarType.FLOAT
        True
        """
        if NodeVarType.UNKNOWN in (in_type1, in_type2) or in_type1 == in_type2:
            return in_type1 or in_type2
        numbers = (NodeVarType.BOOLEAN, NodeVarType.INT, NodeVarType.FLOAT)
        low, high = sorted((in_type1, in_type2))
        if low in numbers and high in (*numbers, NodeVarType.TENSOR, NodeVarType.NUMPY_NDARRAY):
            return high
        return NodeVarType.UNKNOWN


class AstNodeWrapper:
    """A node of a tree, with its parent, its children and the types that its value can have."""

    def __init__(self, node: Any) -> None:
        self.node = node
        self.parent: AstNodeWrapper | None = None
        self.children: list[AstNodeWrapper] = []
        self.node_var_type: Types = {NodeVarType.UNKNOWN}


class AstVarScope:
    """The types of the names of a function, a class or a file."""

    SCOPE_TYPE_SCRIPT = 0
    SCOPE_TYPE_FUNCTION = 1
    SCOPE_TYPE_CLASS = 2

    def __init__(
        self, scope_name: str = "", scope_type: int = SCOPE_TYPE_SCRIPT, parent_scope: AstVarScope | None = None
    ) -> None:
        self.scope_name, self.scope_type, self.parent_scope = scope_name, scope_type, parent_scope
        self.sub_scopes: list[AstVarScope] = []
        self.name_to_types: dict[str, Types] = {}
        if parent_scope is not None:
            parent_scope.sub_scopes.append(self)

    def add_var_type(self, var_name: str, node_var_type: Types) -> None:
        """Add types that a name can have."""
        self.name_to_types.setdefault(var_name, set()).update(node_var_type)

    def set_var_type(self, var_name: str, node_var_type: Types) -> None:
        """Set the types that a name can have."""
        self.name_to_types[var_name] = set(node_var_type)

    def get_var_type(self, var_name: str) -> Types:
        """Return the types that a name can have here; those of an outer scope, if this one does not set it."""
        if var_name in self.name_to_types:
            return self.name_to_types[var_name]
        return {NodeVarType.UNKNOWN} if self.parent_scope is None else self.parent_scope.get_var_type(var_name)


class AstVarEnv:
    """The scopes of a tree; `cur_scope` is the one that is looked at."""

    def __init__(self) -> None:
        self.cur_scope = AstVarScope()

    def enter_scope(self, scope_name: str, scope_type: int) -> AstVarScope:
        """Enter a new scope in the current one."""
        self.cur_scope = AstVarScope(scope_name, scope_type, self.cur_scope)
        return self.cur_scope

    def exit_scope(self) -> AstVarScope:
        """Leave the current scope."""
        assert self.cur_scope.parent_scope is not None
        self.cur_scope = self.cur_scope.parent_scope
        return self.cur_scope

    def get_scope_var_type(self) -> dict[str, Types]:
        """Return the types of the names that the current scope sets."""
        return self.cur_scope.name_to_types


_SCOPES = {"FunctionDef": AstVarScope.SCOPE_TYPE_FUNCTION, "ClassDef": AstVarScope.SCOPE_TYPE_CLASS}
_LITERALS = {"List": NodeVarType.LIST, "ListComp": NodeVarType.LIST, "Set": NodeVarType.SET, "SetComp": NodeVarType.SET,
             "Dict": NodeVarType.DICT, "DictComp": NodeVarType.DICT, "Lambda": NodeVarType.CALLABLE}  # fmt: skip
_CONSTANTS = {bool: NodeVarType.BOOLEAN, int: NodeVarType.INT, float: NodeVarType.FLOAT, str: NodeVarType.STRING,
              type(None): NodeVarType.NONE}  # fmt: skip


class StaticAnalysisVisitor:
    """Looks at the statements of a tree in order, and notes the types of expressions and names.

    Arguments:
        ast_root: the tree, of `ast` or `gast`; None for one that `run` takes later.

    >>> import ast
    >>> names = StaticAnalysisVisitor(ast.parse('a = 1; b = a * 2.0')).get_var_env().get_scope_var_type()
    >>> names == {'a': {NodeVarType.INT}, 'b': {NodeVarType.FLOAT}}
    True
    """

    def __init__(self, ast_root: Any = None) -> None:
        self._map: dict[Any, AstNodeWrapper] = {}
        self._env = AstVarEnv()
        self._root: AstNodeWrapper | None = None
        if ast_root is not None:
            self.run(ast_root)

    def run(self, ast_root: Any) -> None:
        """Look at a tree.

        Raises:
            ArgumentTypeError: it is no tree.
        """
        require_tree("ast_root", ast_root)
        self._map = {}
        self._env = AstVarEnv()
        self._root = self._visit(ast_root, None)

    def get_node_wrapper_root(self) -> AstNodeWrapper | None:
        """Return the wrapper of the tree; None before there is one."""
        return self._root

    def get_node_to_wrapper_map(self) -> dict[Any, AstNodeWrapper]:
        """Return node -> wrapper for all nodes."""
        return self._map

    def get_var_env(self) -> AstVarEnv:
        """Return the scopes; the current one is that of the file."""
        return self._env

    def _visit(self, node: Any, parent: AstNodeWrapper | None) -> AstNodeWrapper:
        wrapper = self._map[node] = AstNodeWrapper(node)
        wrapper.parent = parent
        scope = _SCOPES.get(kind(node))
        if scope is not None:
            self._env.enter_scope(node.name, scope)
        wrapper.children = [self._visit(child, wrapper) for child in ast.iter_child_nodes(node)]
        if scope is not None:
            self._env.exit_scope()
        wrapper.node_var_type = self._types(node)
        return wrapper

    def _of(self, node: Any) -> Types:
        return self._map[node].node_var_type

    def _types(self, node: Any) -> Types:
        """Return the types of a node whose parts are known; note those of the names that it sets."""
        which = kind(node)
        found = getattr(self, f"_{which}", None)
        if found is not None:
            result: Types = found(node)
            return result
        if which in _LITERALS:
            return {_LITERALS[which]}
        return {NodeVarType.STATEMENT if isinstance(node, ast.stmt) else NodeVarType.UNKNOWN}

    def _Constant(self, node: Any) -> Types:
        return {_CONSTANTS.get(type(node.value), NodeVarType.UNKNOWN)}

    def _Name(self, node: Any) -> Types:
        return self._env.cur_scope.get_var_type(node.id)

    def _BinOp(self, node: Any) -> Types:
        pairs = product(self._of(node.left), self._of(node.right))
        return {NodeVarType.binary_op_output_type(a, b) for a, b in pairs}

    def _truth(self, *parts: Any) -> Types:
        tensor = any(self._of(part) & NodeVarType.TENSOR_TYPES for part in parts)
        return {NodeVarType.TENSOR if tensor else NodeVarType.BOOLEAN}

    def _BoolOp(self, node: Any) -> Types:
        return self._truth(*node.values)

    def _Compare(self, node: Any) -> Types:
        return self._truth(node.left, *node.comparators)

    def _UnaryOp(self, node: Any) -> Types:
        return self._truth(node.operand) if kind(node.op) == "Not" else self._of(node.operand)

    def _IfExp(self, node: Any) -> Types:
        return self._of(node.body) | self._of(node.orelse)

    def _Subscript(self, node: Any) -> Types:
        return self._of(node.value) & NodeVarType.TENSOR_TYPES or {NodeVarType.UNKNOWN}

    def _Call(self, node: Any) -> Types:
        if dotted(node.func).endswith("to_variable"):
            return {NodeVarType.TENSOR}
        if reads_array(node):
            return {NodeVarType.NUMPY_NDARRAY}
        by_library = {"paddle": {NodeVarType.PADDLE_RETURN_TYPES}, "numpy": {NodeVarType.NUMPY_NDARRAY}}
        own = self._of(node.func) if kind(node.func) == "Name" else {NodeVarType.UNKNOWN}
        return by_library.get(library(node), own)

    def _set(self, targets: Any, types: Types) -> Types:
        for target in targets:
            if kind(target) == "Name":
                self._env.cur_scope.set_var_type(target.id, types)
        return {NodeVarType.STATEMENT}

    def _Assign(self, node: Any) -> Types:
        return self._set(node.targets, self._of(node.value))

    def _AnnAssign(self, node: Any) -> Types:
        return self._set([node.target] if node.value is not None else [], self._of(node.value or node.target))

    def _Return(self, node: Any) -> Types:
        scope = self._env.cur_scope
        if scope.parent_scope is not None and node.value is not None:
            scope.parent_scope.add_var_type(scope.scope_name, self._of(node.value))
        return {NodeVarType.STATEMENT}

    def _arguments(self, node: Any) -> Types:
        for parameter, default in zip(node.args[len(node.args) - len(node.defaults) :], node.defaults, strict=False):
            self._env.cur_scope.set_var_type(getattr(parameter, "id", None) or parameter.arg, self._of(default))
        return {NodeVarType.UNKNOWN}
