"""Fused loops: scalar expressions over mutually broadcast arrays, generated as one Numba kernel.

The loop nest runs over an iteration space (the frame) of a few dimensions, the last one innermost. An operand varies
along some of them and is loaded again only there; a window of an operand is one of several equal parts that lie side by
side along the innermost dimension. A result is stored, or summed over the dimensions along which it does not vary. Sums
and maxima over a row of the frame are scalars for later expressions of that row, so that softmax and normalisations
need only a few passes over a row that is still in the cache. Dropout masks are computed when they are needed, by a hash
of the element's position.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..array_pointers import array_at, match_description
from ..numba_jit import BUILDING, compile_source
from .expression import Node, make, name, names, number, share, simplify_for, text, walk
from .numba_form import _INSTRUCTIONS, _MISSING, _WITHOUT_BRANCH, VECTORISED
from .numpy_form import constant_name

COSTLY = frozenset({*VECTORISED, "pow"})  # operations whose results are stored for the next pass, not recomputed
_ELEMENT = re.compile(r"(\w+)\[_k\]")
BLOCK = 4096  # elements that are summed in the arrays' dtype; the sums of such blocks are accumulated in float64


class Operand(NamedTuple):
    """An input of the loop.

    name: its name in expressions. array: the index of the array. varies: the dimensions of the frame along which it varies.
    part, parts: the index and the number of its windows along the innermost dimension. converted: whether its dtype differs
    from the frame's.
    """

    name: str
    array: int
    varies: tuple[bool, ...]
    part: int = 0
    parts: int = 1
    converted: bool = False


class Draw(NamedTuple):
    """The mask of a dropout, a truth value that expressions test.

    name: its name in expressions. array: the index of the array with the dropout's key, uint64 [1]. varies, part, parts: as
    for an Operand, of the array that is masked. least: the smallest hash of an element that is kept.
    """

    name: str
    array: int
    varies: tuple[bool, ...]
    part: int
    parts: int
    least: int


class Row(NamedTuple):
    """The sum or the maximum ("sum", "max") of an expression over the innermost dimension."""

    name: str
    how: str
    node: Node


class Result(NamedTuple):
    """An output of the loop.

    node: the expression. array: the index of the result. varies: the dimensions along which it varies; along the others it
    is added up if `summed`, and otherwise the expression does not vary either. part, parts: as for an Operand. into: the
    index of the operand's array that is overwritten instead of a new array, or -1; only without rows.
    """

    node: Node
    array: int
    varies: tuple[bool, ...]
    summed: bool = False
    part: int = 0
    parts: int = 1
    into: int = -1


class FusedLoop:
    """The source of a kernel over flat arrays, and of the function that resolves their addresses.

    Arguments:
        dims: the number of dimensions of the frame.
        operands, rows, results: inputs; sums and maxima of rows, each of which may refer to earlier ones; outputs.
        like: for each array, operands first, the index of its dtype among the dtypes; the frame's own dtype is the first.
        draws: the dropout masks.
        numbers: the number of numbers that expressions name `_a0`, `_a1`, ...

    Attributes:
        source: source of `loops(first, last, numbers, sizes ..., operands ..., results ...)`, which computes a span of the
            outermost dimension.
        opening: source of `fused(table, descriptions, numbers, like ...)`, which checks that the operands match the descriptions, calls
            `loops` with the arrays whose addresses follow the sizes in the table, and returns whether they matched.
        opening_of_span: source of `fused(first, last, table, blocks, numbers, like ...)`, which computes a span of the outermost
            dimension and checks nothing. If there are `totals`, the dimension is cut into so many blocks, the span is one of these, and
            the addresses of the totals are those of arrays with a part for each block.
        constants: the values of the constants that the source refers to by name.
        cuts: whether spans of the outermost dimension are independent; if not, the source has no `first, last`.
        totals: the results that are sums over the outermost dimension, for which each span needs its own array.
        weight: the approximate cost of an element relative to one of a sum of two arrays; each function counts as 1.
    """

    def __init__(
        self, dims: int, operands: Sequence[Operand], rows: Sequence[Row], results: Sequence[Result],
        like: Sequence[int], draws: Sequence[Draw] = (), numbers: int = 0,
    ) -> None:  # fmt: skip
        self.dims, self.numbers = dims, numbers
        self.like = tuple(like)
        self._compiled: dict[np.dtype, tuple[Any, ...]] = {}
        self.operands = {operand.name: operand for operand in operands}
        self.draws = {draw.name: draw for draw in draws}
        self._leaves: dict[str, Operand | Draw] = {**self.operands, **self.draws}
        self.constants: dict[str, Any] = {}
        nodes = self._prepared([*(row.node for row in rows), *(result.node for result in results)])
        self.rows = [row._replace(node=node) for row, node in zip(rows, nodes, strict=False)]
        self.results = [result._replace(node=node) for result, node in zip(results, nodes[len(rows) :], strict=True)]
        for index, result in enumerate(self.results):
            if result.summed and not result.varies[-1]:  # becomes a sum of row sums
                self.rows.append(Row(f"_sum{index}", "sum", result.node))
                self.results[index] = result._replace(node=name(f"_sum{index}"))
        self._stages: dict[Node, int] = {}
        self._row_stage: dict[str, int] = {}
        for row in self.rows:
            self._row_stage[row.name] = self.stage(row.node) + 1
        self.scratch: dict[Node, str] = {}
        self._choose_scratch()
        self.cuts = dims > 1 or not self.rows
        self.totals = tuple(dict.fromkeys(r.array for r in self.results if r.summed and not r.varies[0]))
        every = [*(row.node for row in self.rows), *(result.node for result in self.results)]
        self.weight = 1 + len(self.draws) + sum(node.op in COSTLY and self._inner(node) for node in walk(*every))
        self.source = "\n".join(self._lines()) + "\n"
        self.opening, self.opening_of_span = (
            "\n".join(self._opening(operands, results, span)) + "\n" for span in (False, True)
        )

    def compiled(self, dtype: np.dtype, span: bool = False) -> Any:
        """Return the compiled function of `opening`, or of `opening_of_span`, for a dtype of the frame."""
        if dtype not in self._compiled:
            with BUILDING:
                if dtype not in self._compiled:  # by another thread meanwhile
                    self._compiled[dtype] = self._openings(dtype)
        return self._compiled[dtype][span]

    def _openings(self, dtype: np.dtype) -> tuple[Any, ...]:
        """Return the compiled functions of `opening` and `opening_of_span`."""
        own = {"loops": self.nested(dtype), "array_at": array_at, "match_description": match_description}
        return (
            compile_source("fused", self.opening, own),
            compile_source("fused", self.opening_of_span, own, shared=True),
        )

    def nested(self, dtype: np.dtype) -> Any:
        """Return the kernel of `source`, for use inside another kernel."""
        return compile_source("loops", self.source, self.namespace(dtype), noalias=True)

    def namespace(self, dtype: np.dtype) -> dict[str, Any]:
        """Return the globals of the source for a dtype."""
        from ..cpu import vecmath
        from ..cpu.random.dropout import following, kept
        from ..cpu.support.vector_reductions import LANES, add, row_maximum

        typed = {key: value if isinstance(value, bool) else dtype.type(value) for key, value in self.constants.items()}
        own = {"T": dtype.type, "empty": np.empty, "add": add, "row_maximum": row_maximum, "LANES": LANES}
        drawn: dict[str, Any] = {f"least_{draw.name}": np.uint32(draw.least) for draw in self.draws.values()}
        drawn |= {"kept": kept, "following": following, "uint32": np.uint32} if drawn else {}
        return vecmath.FUNCTIONS | _INSTRUCTIONS | typed | own | drawn

    # --- expressions --------------------------------------------------------------------------------------------------

    def _prepared(self, roots: Iterable[Node]) -> list[Node]:
        """Return expressions with named constants, tests as comparisons, and without branching operators."""
        done: dict[Node, Node] = {}
        roots = simplify_for(roots, _MISSING)
        for node in walk(*roots):
            if not names(node):
                done[node] = constant_name(self.constants, node)
            elif node.op == "true" and node.args[0].value in self.draws:
                done[node] = node
            elif node.op == "true":
                done[node] = make("!=", done[node.args[0]], constant_name(self.constants, number(0)))
            else:
                args = [done[arg] for arg in node.args]
                done[node] = make(_WITHOUT_BRANCH.get(node.op, node.op), *args, value=node.value)
        return [done[root] for root in roots]

    def stage(self, node: Node) -> int:
        """Return the number of passes over a row that must precede the evaluation of the expression."""
        for each in walk(node):
            if each not in self._stages:
                of_name = self._row_stage.get(str(each.value), 0) if each.op == "name" else 0
                self._stages[each] = max([of_name, *(self._stages[arg] for arg in each.args)])
        return self._stages[node]

    def _inner(self, node: Node) -> bool:
        """Return whether an expression varies along the innermost dimension."""
        found = (self._leaves.get(each) for each in names(node))
        return any(leaf is not None and leaf.varies[-1] for leaf in found)

    def _choose_scratch(self) -> None:
        """Allocate a row buffer for each costly subexpression that later passes over a row use again."""
        roots = [(self.stage(row.node), row.node) for row in self.rows]
        roots += [(self.stage(result.node), result.node) for result in self.results]
        for at, root in sorted(roots, key=lambda pair: pair[0]):
            for node in walk(root):
                known = self.stage(node) < at and self._inner(node)
                if known and (node.op in COSTLY or self._drops(node)) and node not in self.scratch:
                    self.scratch[node] = f"_t{len(self.scratch)}"
        for row in self.rows:
            if row.how == "max" and row.node.op != "name" and row.node not in self.scratch:
                self.scratch[row.node] = f"_t{len(self.scratch)}"

    def _drops(self, node: Node) -> bool:
        """Return whether an expression is the selection of a dropout."""
        return node.op == "if" and node.args[0].op == "true" and node.args[0].args[0].value in self.draws

    # --- the source ---------------------------------------------------------------------------------------------------

    def _lines(self) -> list[str]:
        arrays = max((leaf.array for leaf in self._leaves.values()), default=-1) + 1
        made = len({result.array for result in self.results if result.into < 0})
        sizes = [f"n{d}" for d in range(self.dims - 1)] + ["n"]
        span = ["first", "last"] if self.cuts else []
        parameters = [*span, "numbers", *sizes, *(f"a{i}" for i in range(arrays)), *(f"o{i}" for i in range(made))]
        lines = [f"def loops({', '.join(parameters)}):"]
        lines += [f"    _a{i} = numbers[{i}]" for i in range(self.numbers)]
        lines += [f"    {zeroed} = 0" for zeroed in self._sums()]
        lines += [f"    {scratch} = empty(n, T)" for scratch in self.scratch.values()]
        if any(row.how == "max" for row in self.rows):
            lines.append("    lanes = empty(LANES, T)")
        if "n_row" in names(*(row.node for row in self.rows), *(result.node for result in self.results)):
            lines.append("    n_row = T(n)")
        lines += [f"    key_{draw.name} = a{draw.array}[0]" for draw in self.draws.values()]
        indent = "    "
        for d in range(self.dims - 1):
            lines.append(f"{indent}for i{d} in range({f'n{d}' if d else 'first, last'}):")
            indent += "    "
        lines += [indent + line for line in self._row_lines()]
        return lines

    def _sums(self) -> list[str]:
        """Return the parts of the summed results that are set to zero first; of those along the outermost dimension, the span."""
        if self._flat:
            return []
        found = []
        for result in {r.array: r for r in self.results if r.summed}.values():
            each = "".join(f" * n{d}" for d in range(1, self.dims - 1) if result.varies[d])
            each += " * n" * result.varies[-1] + f" * {result.parts}" * (result.parts > 1)
            whole = not self.cuts or not result.varies[0]
            found.append(f"o{result.array}[:]" if whole else f"o{result.array}[first{each} : last{each}]")
        return found

    def _opening(self, operands: Sequence[Operand], results: Sequence[Result], span: bool) -> list[str]:
        """Return the source of `fused`, for the whole range or for a span."""
        sizes = [f"n{d}" for d in range(self.dims - 1)] + ["n"]
        arrays: dict[int, Operand | None] = {operand.array: operand for operand in operands}
        arrays.update({draw.array: None for draw in self.draws.values()})  # of one element
        made = {result.array: result for result in results if result.into < 0}
        every: list[Operand | Result | None] = [
            *(arrays[i] for i in range(len(arrays))),
            *(made[i] for i in range(len(made))),
        ]
        likes = "".join(f", like{k}" for k in range(max(self.like, default=0) + 1))
        lines = (
            [f"def fused(first, last, table, blocks, numbers{likes}):"] if span else self._checking(len(arrays), likes)
        )
        lines += [f"    {size} = table[{d}]" for d, size in enumerate(sizes)]
        given = list(sizes)
        for i, each in enumerate(every):
            size = "1"
            if each is not None:
                parts = [str(each.parts)] * (each.parts > 1)
                size = " * ".join([*(n for n, varies in zip(sizes, each.varies, strict=True) if varies), *parts]) or "1"
            place = f"table[{self.dims + i}]"
            if span and i - len(arrays) in self.totals:
                whole = f"array_at({place}, blocks * {size}, like{self.like[i]})"
                given.append(f"{whole}[block * ({size}) : block * ({size}) + {size}]")
            else:
                given.append(f"array_at({place}, {size}, like{self.like[i]})")
        if span and self.totals:
            lines.append("    for block in range(first, last):")
            given = ["n0 * block // blocks", "n0 * (block + 1) // blocks", "numbers", *given]
            return [*lines, f"        loops({', '.join(given)})"]
        part = (["first", "last"] if span else ["0", "table[0]"]) if self.cuts else []
        call = f"    loops({', '.join([*part, 'numbers', *given])})"
        return [*lines, call] if span else [*lines, call, "    return True"]

    def _checking(self, arrays: int, likes: str) -> list[str]:
        """Return the first lines of `fused` for the whole range, which compare so many operands with their descriptions."""
        lines = [f"def fused(table, descriptions, numbers{likes}):", "    at = 0"]
        for i in range(arrays):
            lines += [f"    at = match_description(descriptions, at, table[{self.dims + i}])"]
            lines += ["    if at < 0:", "        return False"]
        return lines

    def _row_lines(self) -> list[str]:
        """Return the statements for one row of the frame."""
        lines = [self._slice(f"r_{o.name}", f"a{o.array}", o) for o in self.operands.values() if o.varies[-1]]
        lines += [
            f"{o.name} = {_converted(f'a{o.array}[{self._row(o.varies)}]', o.converted)}"
            for o in self.operands.values()
            if not o.varies[-1]
        ]
        for draw in self.draws.values():
            if draw.varies[-1]:
                lines.append(f"from_{draw.name} = uint32(({self._first(draw)}) * n{' + first' * self._flat})")
            else:
                lines.append(f"{draw.name} = {self._kept(draw, f'uint32({self._row(draw.varies)})')}")
        for index, result in enumerate(self.results):
            if result.into >= 0:
                lines.append(f"r_out{index} = r_{self._leaf(result)}")
            elif result.varies[-1]:
                lines.append(self._slice(f"r_out{index}", f"o{result.array}", result))
                lines += [f"r_out{index}[:] = 0"] * (result.summed and self._flat)
        last = max(self.stage(result.node) for result in self.results)
        for stage in range(last + 1):
            lines += self._pass(stage)
        return lines

    def _leaf(self, result: Result) -> str:
        """Return the operand that a result overwrites."""
        return next(o.name for o in self.operands.values() if (o.array, o.part) == (result.into, result.part))

    def _slice(self, target: str, array: str, of: Operand | Result) -> str:
        """Return a statement that slices the row of an array that corresponds to the row of the frame."""
        first = self._first(of)
        if self._flat:
            return f"{target} = {array}[({first}) * n + first : ({first}) * n + last]"
        if first == "0" and of.parts == 1:
            return f"{target} = {array}"
        return f"{target} = {array}[({first}) * n : ({first}) * n + n]"

    @property
    def _flat(self) -> bool:
        """Whether the frame has one dimension, so that spans are parts of a row."""
        return self.cuts and self.dims == 1

    def _first(self, of: Operand | Result | Draw) -> str:
        """Return the index of the array's row that corresponds to the frame's row; each part has rows of its own."""
        row = self._row(of.varies)
        return row if of.parts == 1 else f"({row}) * {of.parts} + {of.part}"

    def _kept(self, draw: Draw, place: str) -> str:
        """Return the expression that tells whether a dropout keeps the element at a position."""
        return f"kept({place}, key_{draw.name}, least_{draw.name})"

    def _row(self, varies: tuple[bool, ...]) -> str:
        """Return the index of the row of an array that varies along these dimensions."""
        at = ""
        for d in range(self.dims - 1):
            if varies[d]:
                at = f"i{d}" if not at else f"({at}) * n{d} + i{d}"
        return at or "0"

    def _pass(self, stage: int) -> list[str]:
        """Return one pass over a row: all that can be computed after `stage` row reductions."""
        lines: list[str] = []
        scratched = [node for node in self.scratch if self.stage(node) == stage]
        rows = [row for row in self.rows if self.stage(row.node) == stage]
        summed = [row for row in rows if row.how == "sum"]
        numbered = list(enumerate(self.results))
        here = [(i, r) for i, r in numbered if self.stage(r.node) == stage]
        whole = [(i, r) for i, r in here if r.varies[-1]]
        for _, result in here:
            if not result.varies[-1]:
                sign = "+=" if result.summed else "="
                lines.append(f"o{result.array}[{self._row(result.varies)}] {sign} {text(result.node)}")
        roots = [*scratched, *(row.node for row in summed), *(result.node for _, result in whole)]
        if roots:
            steps, found = self._shared(roots, stage, lines)
            body = [f"{key} = {text(value)}" for key, value in steps]
            found_of = iter(found)
            body += [f"{self.scratch[node]}[_k] = {text(next(found_of))}" for node in scratched]
            body += [f"_p_{row.name} = add(_p_{row.name}, {text(next(found_of))})" for row in summed]
            body += [f"r_out{i}[_k] {'+=' if result.summed else '='} {text(next(found_of))}" for i, result in whole]
            drawn = [key for key, _ in steps if key in self.draws]
            body += [
                f"at_{key} = following(at_{key})" for key in drawn
            ]  # 32-bit positions, vectorised like the elements
            lines += [f"at_{key} = from_{key}" for key in drawn]
            lines += self._loop(body, summed)
        lines += [f"{row.name} = T(_d_{row.name})" for row in summed]
        for row in rows:
            if row.how == "max":
                lines.append(f"{row.name} = row_maximum({self.scratch.get(row.node) or f'r_{row.node.value}'}, lanes)")
        return lines

    def _loop(self, body: list[str], summed: Sequence[Row]) -> list[str]:
        """Return a loop over the row; sums use blocks, each of them a view, since LLVM would not vectorise them otherwise."""
        if not summed:
            return [f"for _k in range({'last - first' if self._flat else 'n'}):", *(f"    {line}" for line in body)]
        rows = dict.fromkeys(_ELEMENT.findall(" ".join(body)))
        return [
            *(f"_d_{row.name} = 0.0" for row in summed),
            f"for _start in range(0, n, {BLOCK}):",
            *(f"    b_{row} = {row}[_start : _start + {BLOCK}]" for row in rows),
            *(f"    _p_{row.name} = T(0)" for row in summed),
            f"    for _k in range(min({BLOCK}, n - _start)):",
            *("        " + _ELEMENT.sub(r"b_\1[_k]", line) for line in body),
            *(f"    _d_{row.name} += _p_{row.name}" for row in summed),
        ]

    def _shared(self, roots: list[Node], stage: int, before: list[str]) -> tuple[list[tuple[str, Node]], list[Node]]:
        """Return the assignments and results of a pass; loop-invariant parts are hoisted into `before`."""
        done: dict[Node, Node] = {}
        hoisted: dict[str, Node] = {}
        loads: dict[str, str] = {}
        own = set(roots)
        for node in walk(*roots):
            scratch = self.scratch.get(node)
            if scratch is not None and (node not in own or self.stage(node) < stage):
                loads.setdefault(f"_v{scratch}", f"{scratch}[_k]")
                done[node] = name(f"_v{scratch}")
            elif node.op == "name":
                leaf = self._leaves.get(str(node.value))
                if leaf is not None and leaf.varies[-1]:
                    loads.setdefault(leaf.name, self._load(leaf))
                done[node] = node
            elif not self._inner(node):
                key = f"_h{stage}_{len(hoisted)}"
                hoisted[key] = node
                done[node] = name(key)
            else:
                done[node] = make(node.op, *(done[arg] for arg in node.args), value=node.value)
        changed = [done[root] for root in roots]
        used = names(*changed)
        before += self._hoist({key: node for key, node in hoisted.items() if key in used}, stage)
        chosen = {branch for node in walk(*changed) if node.op == "if" for branch in node.args}
        steps, found = share(changed, chosen, f"_{stage}_")
        return [(key, name(load)) for key, load in loads.items() if key in used] + steps, found

    def _load(self, leaf: Operand | Draw) -> str:
        """Return the load of an operand, or the mask of a dropout, inside the loop over the row."""
        if isinstance(leaf, Draw):
            return self._kept(leaf, f"at_{leaf.name}")
        return _converted(f"r_{leaf.name}[_k]", leaf.converted)

    def _hoist(self, hoisted: dict[str, Node], stage: int) -> list[str]:
        """Return the assignments that are evaluated once a row."""
        if not hoisted:
            return []
        roots = list(hoisted.values())
        chosen = {branch for node in walk(*roots) if node.op == "if" for branch in node.args}
        steps, found = share(roots, chosen, f"_g{stage}_")
        lines = [f"{key} = {text(value)}" for key, value in steps]
        return lines + [f"{key} = {text(value)}" for key, value in zip(hoisted, found, strict=True)]


def _converted(load: str, converted: bool) -> str:
    return f"T({load})" if converted else load
