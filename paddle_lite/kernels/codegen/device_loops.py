"""Fused loops for a GPU: the expressions of a fused kernel as sources of device kernels (kernels/gpu/device).

One kernel computes all results that are stored: a thread computes an element of the frame or, where expressions need sums or
maxima of rows, a block computes a row. Each result that is a sum has a kernel of its own, which computes the expression
again for all elements that are added: no atomic additions, so the same sum in each run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .expression import Node, make, name, names, rewrite, share, simplify_for, text
from .loops import Draw, Operand, Result, Row

_MISSING = ("sigmoid", "sign", "round", "min", "max", "isnan", "isinf")
_SPELLING = {"**": "power", "abs": "fabs"}
COLUMNS = 32  # that a block sums side by side


class LoopNest(NamedTuple):
    """What a fused kernel computes; the fields are those of `loops.FusedLoop`.

    dtype, operand_dtypes, result_dtypes: the names of the dtypes of the frame, of the operands' arrays (None for the key of
    a dropout) and of the results' arrays.
    """

    dims: int
    operands: tuple[Operand, ...]
    rows: tuple[Row, ...]
    results: tuple[Result, ...]
    draws: tuple[Draw, ...]
    numbers: int
    dtype: str
    operand_dtypes: tuple[str | None, ...]
    result_dtypes: tuple[str, ...]


class DeviceSource(NamedTuple):
    """The source of a device kernel.

    name, source: of the function. types: the type of each parameter. result: the index of the result's array that the
    kernel sums; None for the kernel of the stored results. columns: whether a block sums 32 neighbouring elements.
    """

    name: str
    source: str
    types: dict[str, str]
    result: int | None
    columns: bool


def device_sources(nest: LoopNest) -> list[DeviceSource]:
    """Return the sources: that of the stored results, if there are any or rows, and one for each array of sums."""
    return _Sources(nest).all()


class _Sources:
    def __init__(self, nest: LoopNest) -> None:
        self.nest = nest
        roots = simplify_for([*(row.node for row in nest.rows), *(result.node for result in nest.results)], _MISSING)
        nodes = [rewrite(root, self._spelt) for root in roots]
        self.rows = [row._replace(node=node) for row, node in zip(nest.rows, nodes)]
        self.results = [result._replace(node=node) for result, node in zip(nest.results, nodes[len(nest.rows) :])]
        self.operands = {operand.name: operand for operand in nest.operands}
        self.draws = {draw.name: draw for draw in nest.draws}
        self.sizes = [f"n{d}" for d in range(nest.dims)]
        self.summed = [result for result in self.results if result.summed]
        self.stored = [result for result in self.results if not result.summed]
        self.carried = sorted(
            {key for result in self.summed for key in names(result.node)} & {row.name for row in self.rows}
        )

    @staticmethod
    def _spelt(node: Node) -> Node:
        """Return a node under the name of the function of the language."""
        if node.op == "number" and node.value in (float("inf"), float("-inf")):
            return name("INFINITY")
        if node.op == "true":
            return node
        return make(_SPELLING.get(node.op, node.op), *node.args, value=node.value)

    def all(self) -> list[DeviceSource]:
        found = []
        if self.stored or self.rows:
            lines = self._by_rows() if self.rows else self._by_elements()
            found.append(self._source("stored", lines, None, False))
        for array in dict.fromkeys(result.array for result in self.summed):
            parts = [result for result in self.summed if result.array == array]
            columns = parts[0].varies[-1]
            lines = self._columns(parts) if columns else self._totals(parts)
            found.append(self._source(f"summed{array}", lines, array, columns))
        return found

    def _source(self, name: str, lines: list[str], result: int | None, columns: bool) -> DeviceSource:
        nest = self.nest
        types = {f"a{i}": f"{dtype}[]" for i, dtype in enumerate(nest.operand_dtypes) if dtype is not None}
        for i, dtype in enumerate(nest.operand_dtypes):
            if dtype is None:
                types |= {f"key{i}": "int64[]"}
        types |= {f"_a{i}": "A" for i in range(nest.numbers)}
        if result is None:
            stored = dict.fromkeys(each.array for each in self.stored)
            types |= {f"o{i}": f"{nest.result_dtypes[i]}[]" for i in stored}
        else:
            types[f"o{result}"] = f"{nest.result_dtypes[result]}[]"
        types |= {f"of_{row}": "A[]" for row in self.carried}
        types |= dict.fromkeys(self.sizes, "int64")
        if any("n_row" in line for line in lines):
            lines = [f"n_row = A({self.sizes[-1]})", *lines]
        source = "\n".join([f"def {name}({', '.join(types)}):", *(f"    {line}" for line in lines)])
        return DeviceSource(name, source + "\n", types, result, columns)

    # ---- the kernel of the stored results ----------------------------------------------------------------------------

    def _by_elements(self) -> list[str]:
        """Return the statements for results without rows: a thread strides over the elements of the frame."""
        total = " * ".join(self.sizes)
        lines = [f"for e in range(block() * threads() + thread(), {total}, blocks() * threads()):"]
        body = self._indices("e", range(self.nest.dims))
        steps, found = share([result.node for result in self.stored])
        body += self._loads([*(node for _, node in steps), *found])
        body += [f"{key} = {text(value)}" for key, value in steps]
        for result, node in zip(self.stored, found):
            body += self._guarded(result, self._store(result, text(node)))
        return lines + [f"    {line}" for line in body]

    def _by_rows(self) -> list[str]:
        """Return the statements for a row of the frame, which a block computes."""
        outer, inner = range(self.nest.dims - 1), self.sizes[-1]
        lines = self._indices("block()", outer)
        for row in self.rows:
            start = "A(0)" if row.how == "sum" else "A(-INFINITY)"
            lines.append(f"{row.name} = {start}")
            lines.append(f"for {self._inner} in range(thread(), {inner}, threads()):")
            steps, [node] = share([row.node], prefix=f"_{row.name}_")
            body = self._loads([*(value for _, value in steps), node])
            body += [f"{key} = {text(value)}" for key, value in steps]
            more = f"{row.name} + ({text(node)})" if row.how == "sum" else f"maximum({row.name}, A({text(node)}))"
            lines += [f"    {line}" for line in [*body, f"{row.name} = {more}"]]
            lines.append(f"{row.name} = yield from block_{row.how}({row.name})")
        lines += self._final()
        for each in self.carried:
            lines += ["if thread() == 0:", f"    of_{each}[block()] = {each}"]
        return lines

    def _final(self) -> list[str]:
        """Return the statements that store the results of a row."""
        across = [result for result in self.stored if result.varies[-1]]
        once = [result for result in self.stored if not result.varies[-1]]
        lines: list[str] = []
        if across:
            steps, found = share([result.node for result in across], prefix="_r_")
            body = self._loads([*(value for _, value in steps), *found])
            body += [f"{key} = {text(value)}" for key, value in steps]
            for result, node in zip(across, found):
                body += self._guarded(result, self._store(result, text(node)))
            lines.append(f"for {self._inner} in range(thread(), {self.sizes[-1]}, threads()):")
            lines += [f"    {line}" for line in body]
        if once:
            body = self._loads(result.node for result in once)
            for result in once:
                body += self._guarded(result, self._store(result, text(result.node)), but_last=True)
            lines += ["if thread() == 0:", *(f"    {line}" for line in body)]
        return lines

    def _guarded(self, result: Result, store: str, but_last: bool = False) -> list[str]:
        """Return the store, by one of the threads if the result does not vary along all dimensions."""
        constant = [d for d in range(self.nest.dims - but_last) if not result.varies[d]]
        if not constant:
            return [store]
        return [f"if {' and '.join(f'i{d} == 0' for d in constant)}:", f"    {store}"]

    def _store(self, result: Result, value: str) -> str:
        dtype = self.nest.result_dtypes[result.array]
        return f"o{result.array}[{self._at(result)}] = {dtype}({value})"

    # ---- the kernels of sums -----------------------------------------------------------------------------------------

    def _totals(self, parts: Sequence[Result]) -> list[str]:
        """Return the statements for sums over the innermost dimension, and others: a block computes an element."""
        varies = parts[0].varies
        kept = [d for d, each in enumerate(varies) if each]
        lines = self._indices("block()", kept)
        for p, result in enumerate(parts):
            lines += [f"total{p} = A(0)", *self._added(result, p, "thread()", "threads()", varies)]
            lines.append(f"total{p} = yield from block_sum(total{p})")
        lines.append("if thread() == 0:")
        dtype = self.nest.result_dtypes[parts[0].array]
        for p, result in enumerate(parts):
            lines.append(f"    o{result.array}[{self._at(result)}] = {dtype}(total{p})")
        return lines

    def _columns(self, parts: Sequence[Result]) -> list[str]:
        """Return the statements for sums that vary along the innermost dimension: neighbouring threads read neighbours."""
        varies = parts[0].varies
        kept = [d for d, each in enumerate(varies) if each]
        width = " * ".join(f"n{d}" for d in kept)
        dtype = self.nest.result_dtypes[parts[0].array]
        lines = [
            f"column = block() * {COLUMNS} + thread() % {COLUMNS}", f"lane = thread() // {COLUMNS}",
            f"lanes = threads() // {COLUMNS}", "part = shared(A, 1024)",
        ]  # fmt: skip
        lines += self._indices("column", kept)
        for p, result in enumerate(parts):
            lines += [f"total{p} = A(0)", f"if column < {width}:"]
            lines += [f"    {line}" for line in self._added(result, p, "lane", "lanes", varies)]
            lines += ["yield", f"part[thread()] = total{p}", "yield", f"if lane == 0 and column < {width}:"]
            lines += [
                f"    for l{p} in range(1, lanes):",
                f"        total{p} = total{p} + part[l{p} * {COLUMNS} + thread()]",
            ]
            lines.append(f"    o{result.array}[{self._at(result)}] = {dtype}(total{p})")
        return lines

    def _added(self, result: Result, p: int, first: str, step: str, varies: Sequence[bool]) -> list[str]:
        """Return the loop that adds up an expression over the dimensions along which the sum does not vary."""
        over = [d for d, each in enumerate(varies) if not each]
        lines = [f"for j{p} in range({first}, {' * '.join(f'n{d}' for d in over)}, {step}):"]
        body = self._indices(f"j{p}", over)
        steps, [node] = share([result.node], prefix=f"_s{p}_")
        body += self._loads([*(value for _, value in steps), node], rows=True)
        body += [f"{key} = {text(value)}" for key, value in steps]
        return [*lines, *(f"    {line}" for line in [*body, f"total{p} = total{p} + ({text(node)})"])]

    # ---- indices and loads -------------------------------------------------------------------------------------------

    @property
    def _inner(self) -> str:
        return f"i{self.nest.dims - 1}"

    def _indices(self, of: str, dims: Sequence[int]) -> list[str]:
        """Return the statements that take a number apart into indices of some dimensions, the last one fastest."""
        lines, rest = [], of
        for d in reversed(dims):
            if d == dims[0]:
                lines.append(f"i{d} = {rest}")
            else:
                lines.append(f"i{d} = {rest} % n{d}")
                rest = f"{rest} // n{d}"
        return lines

    def _at(self, of: Operand | Result | Draw) -> str:
        """Return the index of an element in its array; each part has rows of its own."""
        at = ""
        for d in range(self.nest.dims - 1):
            if of.varies[d]:
                at = f"i{d}" if not at else f"{_factor(at)} * n{d} + i{d}"
        at = at or "0"
        if not of.varies[-1]:
            return at
        first = at if of.parts == 1 else f"{_factor(at)} * {of.parts} + {of.part}"
        return self._inner if first == "0" else f"{_factor(first)} * {self.sizes[-1]} + {self._inner}"

    def _loads(self, nodes: Iterable[Node], rows: bool = False) -> list[str]:
        """Return the statements for the names in expressions: load operands, draw masks and, where asked for, load reductions of rows."""
        used = names(*nodes)
        lines = []
        for key, operand in self.operands.items():
            if key in used:
                lines.append(f"{key} = A(a{operand.array}[{self._at(operand)}])")
        for key, draw in self.draws.items():
            if key in used:
                drawn = f"key{draw.array}[0]"
                halves = f"{drawn} & 0xFFFFFFFF, ({drawn} >> 32) & 0xFFFFFFFF"
                lines.append(f"{key} = kept({self._at(draw)}, {halves}, {draw.least})")
        lines += [f"{row} = of_{row}[{self._row_number()}]" for row in self.carried if rows and row in used]
        return lines

    def _row_number(self) -> str:
        at = ""
        for d in range(self.nest.dims - 1):
            at = f"i{d}" if not at else f"{_factor(at)} * n{d} + i{d}"
        return at or "0"


def _factor(source: str) -> str:
    """Return the source of an index as a factor."""
    return source if source.isidentifier() or source.isdigit() else f"({source})"
