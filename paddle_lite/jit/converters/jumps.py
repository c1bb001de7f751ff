"""`return`, `break` and `continue` in the middle of things.

What follows an `if` that jumps away goes into the branch that does not, so each branch ends where the function or the round
ends. Loops and `with` need flags: `_stop`, and `_returned` with `_value`; so does an `if` that goes on in several ways, if
much follows it. Afterwards a function returns at its end only.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from ..pyct.liveness import TRIES
from ..pyct.names import contains
from ..pyct.templates import statements
from .context import Context, Functions

LOOPS = (ast.While, ast.For)
JUMPS = (ast.Return, ast.Break, ast.Continue)
FEW = 60  # nodes of a syntax tree, about three lines
WALLS = (*TRIES, ast.Match)
"""What stays Python where it jumps, and so does what is around it."""


def jumps(nodes: list[ast.stmt]) -> bool:
    """Whether statements may jump to somewhere outside of them; what is inside of `try` and `match` is left alone."""
    return contains(nodes, (ast.Return,), WALLS) or contains(nodes, (ast.Break, ast.Continue), (*WALLS, *LOOPS))


def opaque(nodes: list[ast.stmt]) -> bool:
    """Whether there is a `try` or `match` that jumps away: what is around it stays Python."""
    found = [node for statement in nodes for node in ast.walk(statement) if isinstance(node, WALLS)]
    return any(contains([node], JUMPS) for node in found)


def ends_(body: list[ast.stmt]) -> bool:
    """Whether control never gets past the end of statements."""
    return any(
        isinstance(s, (*JUMPS, ast.Raise)) or (isinstance(s, ast.If) and ends_(s.body) and ends_(s.orelse))
        for s in body
    )


def leaves(node: ast.If) -> int:
    """In how many ways control gets past an `if`."""
    return sum(0 if ends_(body) else passes(body) for body in (node.body, node.orelse))


def passes(body: list[ast.stmt]) -> int:
    """In how many ways control gets past the end of statements, each `if` that jumps being a choice."""
    count = 1
    for s in body:
        if isinstance(s, ast.If) and jumps([s]):
            count *= leaves(s)
    return count


def simple(rest: list[ast.stmt]) -> bool:
    """Whether statements are few and without further choices to jump, so that they may well stand in several branches."""
    if any(isinstance(s, (ast.If, ast.With, *LOOPS)) and jumps([s]) for s in rest):
        return False
    return sum(1 for s in rest for _ in ast.walk(s)) < FEW


def endless(node: ast.stmt) -> bool:
    """Whether a loop ends by a jump only."""
    return isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and bool(node.test.value)


class Around:
    """A loop or `with` around statements, and the flags that its jumps set.

    stop: of `break` (and `return`) in a loop; skip: of `continue`, in a `with` only.
    """

    def __init__(self, context: Context, loop: bool) -> None:
        self.loop = loop
        self.context = context
        self.stop: str | None = None
        self.skip: str | None = None
        self.returned: str | None = None
        self.value: str | None = None
        self.broken = False

    def leave(self, node: ast.stmt) -> list[ast.stmt]:
        """What stands in the place of a jump."""
        if isinstance(node, ast.Continue) and self.loop:
            return []
        if isinstance(node, ast.Continue):
            self.skip = self.skip or self.context.fresh("skip")
            return statements("flag = True", node, flag=self.skip)
        made: list[ast.stmt] = []
        if isinstance(node, ast.Return):
            if self.returned is None:
                self.returned, self.value = self.context.fresh("returned"), self.context.fresh("value")
            value = node.value if node.value is not None else ast.copy_location(ast.Constant(None), node)
            made += statements("flag = True\nkept = value", node, flag=self.returned, kept=self.value, value=value)
            if not self.loop:
                return made
        else:
            self.broken = True
        self.stop = self.stop or self.context.fresh("stop")
        return made + statements("flag = True", node, flag=self.stop)

    def before(self, node: ast.stmt) -> list[ast.stmt]:
        """The flags before any of the jumps."""
        made: list[ast.stmt] = []
        for flag in (self.stop, self.skip, self.returned):
            if flag is not None:
                made += statements("flag = False", node, flag=flag)
        if self.value is not None:
            made += statements("kept = _jst.not_returned()", node, kept=self.value)
        return made

    def after(self, node: ast.stmt) -> list[ast.stmt]:
        """The jumps that are left to be made afterwards."""
        made: list[ast.stmt] = []
        if self.returned is not None and self.loop and not self.broken and endless(node):
            return statements("return kept", node, kept=self.value)
        if self.returned is not None:
            made += statements("if flag:\n    return kept", node, flag=self.returned, kept=self.value)
        if not self.loop:
            for flag, jump in ((self.stop, ast.Break()), (self.skip, ast.Continue())):
                if flag is not None:
                    made += statements("if flag:\n    jump", node, flag=flag, jump=[ast.copy_location(jump, node)])
        return made


class _Jumps(Functions):
    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        self.generic_visit(node)
        last = node.body[-1]
        if any(isinstance(s, (ast.If, ast.With, *LOOPS)) and contains([s], (ast.Return,), WALLS) for s in node.body):
            node.body += statements("return None", last)
        body, _ = self.block(node.body, None)
        node.body = self.one_exit(body)
        return node

    # --- flags and branches ---------------------------------------------------------------------------------------------

    def block(self, body: list[ast.stmt], around: Around | None) -> tuple[list[ast.stmt], bool]:
        """The statements without jumps, and whether control never gets past their end."""
        made: list[ast.stmt] = []
        for place, node in enumerate(body):
            rest = body[place + 1 :]
            if isinstance(node, ast.Raise):
                return [*made, node], True
            if isinstance(node, JUMPS):
                return made + ([node] if around is None else around.leave(node)), True
            if isinstance(node, ast.If) and jumps([node]) and (leaves(node) < 2 or simple(rest)):
                chosen, ends = self.branches(node, rest, around)
                return [*made, chosen], ends
            if isinstance(node, LOOPS) and not opaque([node]):
                head, after = self.loop(node)
            elif isinstance(node, (ast.If, ast.With)) and jumps([node]) and not opaque([node]):
                head, after = self.flagged(node)
            else:
                if isinstance(node, (ast.If, ast.With)):  # there may be loops inside
                    node.body = self.block(node.body, around)[0]
                if isinstance(node, ast.If):
                    node.orelse = self.block(node.orelse, around)[0]
                if isinstance(node, ast.Match) and not opaque([node]):
                    for case in node.cases:
                        case.body = self.block(case.body, around)[0]
                made.append(node)
                continue
            made += [*head, node]
            if after:
                lowered, ends = self.block([*after, *rest], around)
                return made + lowered, ends
        return made, False

    def branches(self, node: ast.If, rest: list[ast.stmt], around: Around | None) -> tuple[ast.If, bool]:
        """An `if` that jumps: what follows it goes into the branches from which it is reached."""
        ends = []
        for part in ("body", "orelse"):
            body = getattr(node, part)
            more = [] if ends_(body) else copy.deepcopy(rest) if leaves(node) > 1 else rest
            lowered, closed = self.block([*body, *more], around)
            setattr(node, part, lowered or ([ast.copy_location(ast.Pass(), node)] if part == "body" else []))
            ends.append(closed)
        return node, all(ends)

    def loop(self, node: Any) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """Let the rounds of a loop not jump; what goes before it, and what after it."""
        around = Around(self.context, loop=True)
        if isinstance(node, ast.While) and contains([node.test], (ast.NamedExpr,)):
            ends = [*node.orelse, ast.copy_location(ast.Break(), node)]
            node.body = [*statements("if not test:\n    ends", node, test=node.test, ends=ends), *node.body]
            node.test, node.orelse = ast.copy_location(ast.Constant(True), node), []
        node.body = self.block(node.body, around)[0] or [ast.copy_location(ast.Pass(), node)]
        after = around.after(node)
        if node.orelse and around.stop is not None and not endless(node):
            after += statements("if not flag:\n    then", node, flag=around.stop, then=node.orelse)
        else:
            after += node.orelse
        node.orelse = []
        node.until = ()
        if around.stop is not None:
            node.until = (around.stop,)
            if isinstance(node, ast.While):
                [test] = statements("not flag and test", node, flag=around.stop, test=node.test)
                node.test = test.value  # type: ignore[attr-defined]
        return around.before(node), after

    def flagged(self, node: ast.With | ast.If) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """Let a `with` or `if` set flags rather than jump; what goes before it, and what after it."""
        around = Around(self.context, loop=False)
        node.body = self.block(node.body, around)[0] or [ast.copy_location(ast.Pass(), node)]
        if isinstance(node, ast.If):
            node.orelse = self.block(node.orelse, around)[0]
        return around.before(node), around.after(node)

    # --- the one exit ---------------------------------------------------------------------------------------------------

    def one_exit(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Let branches at the end of a function set what the function returns."""
        last = body[-1]
        if not isinstance(last, ast.If) or not contains([last], (ast.Return,), WALLS):
            return body
        name = self.context.fresh("result")
        self._assign(last, name)
        return [*body, *statements("return name", last, name=name)]

    def _assign(self, node: ast.If, name: str) -> None:
        for part in (node.body, node.orelse):
            if not part:
                continue
            last = part[-1]
            if isinstance(last, ast.Return):
                value = last.value if last.value is not None else ast.copy_location(ast.Constant(None), last)
                part[-1:] = statements("name = value", last, name=name, value=value)
            elif isinstance(last, ast.If):
                self._assign(last, name)


def transform(node: ast.FunctionDef, context: Context) -> ast.FunctionDef:
    """Leave one `return`, at the end, and loops that end by their condition."""
    return _Jumps(context).visit(node)
