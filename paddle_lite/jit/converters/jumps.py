"""`return`, `break` and `continue` become structured control flow.

The statements after an `if` with a jump move into its branch without one, so that each branch runs to the end of the function
or of the iteration. Loops and `with` get flags: `_stop`, and `_returned` with `_value`. So does an `if` with several ways to
continue and many statements after it. Afterwards a function has one `return`, at its end.
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
    """Tell whether statements may jump out of themselves. The insides of `try` and `match` are not searched."""
    return contains(nodes, (ast.Return,), WALLS) or contains(nodes, (ast.Break, ast.Continue), (*WALLS, *LOOPS))


def opaque(nodes: list[ast.stmt]) -> bool:
    """Tell whether a `try` or `match` among the statements jumps out of itself; the statement around it then stays Python."""
    found = [node for statement in nodes for node in ast.walk(statement) if isinstance(node, WALLS)]
    return any(contains([node], JUMPS) for node in found)


def ends_(body: list[ast.stmt]) -> bool:
    """Tell whether control never reaches the end of the statements."""
    return any(
        isinstance(s, (*JUMPS, ast.Raise)) or (isinstance(s, ast.If) and ends_(s.body) and ends_(s.orelse))
        for s in body
    )


def leaves(node: ast.If) -> int:
    """Count the paths that reach the end of an `if`."""
    return sum(0 if ends_(body) else passes(body) for body in (node.body, node.orelse))


def passes(body: list[ast.stmt]) -> int:
    """Count the paths that reach the end of the statements; each `if` with a jump splits the paths."""
    count = 1
    for s in body:
        if isinstance(s, ast.If) and jumps([s]):
            count *= leaves(s)
    return count


def simple(rest: list[ast.stmt]) -> bool:
    """Tell whether statements are few and have no conditional jumps, so that copying them into several branches is cheap."""
    if any(isinstance(s, (ast.If, ast.With, *LOOPS)) and jumps([s]) for s in rest):
        return False
    return sum(1 for s in rest for _ in ast.walk(s)) < FEW


def endless(node: ast.stmt) -> bool:
    """Tell whether a loop ends only by a jump, as `while True` does."""
    return isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and bool(node.test.value)


class Around:
    """The loop or `with` that encloses statements, and the flags that replace its jumps.

    stop: the flag of `break` (and of `return`) in a loop; skip: the flag of `continue`, in a `with` only.
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
        """Return the statements that replace a jump."""
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
        """Return the statements that clear the flags, which go before the loop or `with`."""
        made: list[ast.stmt] = []
        for flag in (self.stop, self.skip, self.returned):
            if flag is not None:
                made += statements("flag = False", node, flag=flag)
        if self.value is not None:
            made += statements("kept = _jst.not_returned()", node, kept=self.value)
        return made

    def after(self, node: ast.stmt) -> list[ast.stmt]:
        """Return the jumps that remain to be made after the loop or `with`."""
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
        """Return the statements without jumps, and whether control never reaches their end."""
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
        """Rewrite an `if` with jumps: the statements after it move into the branches that reach them."""
        ends = []
        for part in ("body", "orelse"):
            body = getattr(node, part)
            more = [] if ends_(body) else copy.deepcopy(rest) if leaves(node) > 1 else rest
            lowered, closed = self.block([*body, *more], around)
            setattr(node, part, lowered or ([ast.copy_location(ast.Pass(), node)] if part == "body" else []))
            ends.append(closed)
        return node, all(ends)

    def loop(self, node: Any) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """Rewrite a loop without jumps in its body; return the statements to put before it and after it."""
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
        """Rewrite a `with` or `if` to set flags instead of jumping; return the statements to put before it and after it."""
        around = Around(self.context, loop=False)
        node.body = self.block(node.body, around)[0] or [ast.copy_location(ast.Pass(), node)]
        if isinstance(node, ast.If):
            node.orelse = self.block(node.orelse, around)[0]
        return around.before(node), around.after(node)

    # --- the one exit ---------------------------------------------------------------------------------------------------

    def one_exit(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Let the branches of a final `if` assign the result, which one `return` after it returns."""
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
    """Rewrite a function to one `return`, at its end, and to loops that end by their condition."""
    return _Jumps(context).visit(node)
