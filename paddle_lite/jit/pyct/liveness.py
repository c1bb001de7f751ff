"""Liveness of names in code without break, continue and return."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from .names import Names, scan

TRIES: tuple[type, ...] = (ast.Try, *((ast.TryStar,) if hasattr(ast, "TryStar") else ()))


class Liveness:
    """Compute, for each `if`, `while` and `for` of a function, the names that are live after it.

    Arguments:
        body: the statements of the function.
        wanted: names that are live at the end of the function: its global and nonlocal names, and those that inner
            functions read.

    after[id(statement)]: the names that are live after the statement.
    before_round[id(loop)]: the names that are live at the start of an iteration of the loop.
    """

    def __init__(self, body: Sequence[ast.stmt], wanted: Names) -> None:
        self.after: dict[int, Names] = {}
        self.before_round: dict[int, Names] = {}
        self.wanted = set(wanted)
        self._block(body, set())

    def _block(self, body: Sequence[ast.stmt], live: Names) -> Names:
        for statement in reversed(body):
            live = self._statement(statement, live)
        return live

    def _statement(self, node: ast.stmt, live: Names) -> Names:
        if isinstance(node, ast.If):
            self._note(node, live)
            return scan([node.test]).reads | self._block(node.body, live) | self._block(node.orelse, live)
        if isinstance(node, (ast.While, ast.For)):
            return self._loop(node, live)
        if isinstance(node, ast.Match):
            return self._match(node, live)
        if isinstance(node, ast.With):
            inner = self._block(node.body, live)
            heads = scan([*node.items])
            return (inner - heads.writes) | heads.reads
        if isinstance(node, (*TRIES, ast.Return, ast.Raise)):
            found = scan([node])
            for part in ("body", "orelse", "finalbody"):
                self._block(getattr(node, part, []), live | found.reads)
            for handler in getattr(node, "handlers", ()):
                self._block(handler.body, live | found.reads)
            return found.reads if isinstance(node, (ast.Return, ast.Raise)) else live | found.reads
        found = scan([node])
        return (live - found.writes) | found.reads

    def _match(self, node: ast.Match, live: Names) -> Names:
        reads = live | scan([node.subject]).reads
        for case in node.cases:
            pattern = scan([case.pattern])
            guard = scan([case.guard]).reads if case.guard is not None else set()
            reads = reads | pattern.reads | ((self._block(case.body, live) | guard) - pattern.writes)
        return reads

    def _loop(self, node: ast.While | ast.For, live: Names) -> Names:
        head = scan([node.test if isinstance(node, ast.While) else node.iter]).reads
        target = scan([node.target]).writes if isinstance(node, ast.For) else set()
        self._note(node, live)
        live = live | set(getattr(node, "until", ()))
        entry = live | (head if isinstance(node, ast.While) else set())
        while True:
            again = self._block(node.body, entry)
            wider = entry | (again - target)
            if wider == entry:
                break
            entry = wider
        self.before_round[id(node)] = entry | self.wanted
        return entry | head

    def _note(self, node: ast.stmt, live: Names) -> None:
        self.after[id(node)] = self.after.get(id(node), set()) | live | self.wanted
