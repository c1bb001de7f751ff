"""Writes docs/differences.md, the intended differences from PaddlePaddle 1.8.5. `python tests/differences/differences_page.py`"""

from __future__ import annotations

import inspect
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.differences.of_programs import MODES, NUMBERS, Difference  # noqa: E402
from tests.ops.rows_of import ALL  # noqa: E402
from tests.oracle import random_calls  # noqa: E402

PAGE = ROOT / "docs" / "differences.md"
CONFORMANCE = ROOT / "docs" / "conformance.md"
HEAD = """# Differences from PaddlePaddle 1.8.5

paddle_lite computes what PaddlePaddle 1.8.5 computes: each operator is compared with recorded results of 1.8.5 (tests/ops), by
random calls (tests/oracle) and in random Programs (tests/programs/drawn). This page lists the intended differences.
`python tests/differences/differences_page.py` generates it from the tests: each line about an operator is the reason why a test does
not compare a call with 1.8.5. Where a line says that Paddle is wrong, paddle_lite does what the operator's description says.

"""
ABSENT = re.compile(r"(PaddlePaddle )?1\.8\.5 has no such operator")


def section(title: str, differences: Iterable[Difference]) -> Iterator[str]:
    yield f"## {title}\n"
    for each in differences:
        yield f"### {each.title}\n"
        old = f"- To get the behaviour of 1.8.5: {each.old}\n" if each.old else ""
        yield f"- In 1.8.5: {each.theirs}\n- Here: {each.ours}\n- Why: {each.why}\n{old}"


def of_operators() -> dict[str, dict[str, set[str]]]:
    """Family -> what differs -> the operators; from the rows and from the functions that draw calls."""
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for family, row in ALL:
        for text in [sample.excluded for sample in row.samples] + [row.no_grad_reason, row.no_derivative]:
            if text:
                found[family][told(text)].add(row.op)
    for family in random_calls.families():
        for op, draw in random_calls.draws_of(family).CALLS.items():
            for sentence in sentences(inspect.getdoc(draw) if inspect.isfunction(draw) else None):
                found[family][f"not drawn: {sentence}"].add(op)
    return found


def sentences(text: str | None) -> list[str]:
    """The sentences that say something of Paddle."""
    joined = " ".join((text or "").split())
    return [told(s) for s in re.split(r"(?<=[.])\s+", joined) if "Paddle" in s]


def told(text: str) -> str:
    return text.replace("real Paddle", "Paddle").replace("PaddlePaddle 1.8.5", "1.8.5").rstrip(".")


def operators() -> Iterator[str]:
    found = of_operators()
    later = {op for texts in found.values() for text, ops in texts.items() if ABSENT.match(text) for op in ops}
    yield "## Operators\n"
    for family in sorted(found):
        lines = [
            f"- {', '.join(f'`{op}`' for op in sorted(ops))}: {text}."
            for text, ops in sorted(found[family].items())
            if not ABSENT.match(text)
        ]
        if lines:
            yield f"### {family}\n\n" + "\n".join(lines) + "\n"
    yield "### Operators that 1.8.5 does not have\n\n" + ", ".join(f"`{op}`" for op in sorted(later)) + ".\n"


def conformance() -> Iterator[str]:
    """The reasons of docs/conformance.md, which names the tests."""
    yield "## Seen by PaddlePaddle's own tests\n"
    yield "Each is the reason why some tests of 1.8 do not pass; docs/conformance.md names them.\n"
    reasons = re.findall(r"^- \*\*(.+?)\*\* \(\d+\):", CONFORMANCE.read_text(encoding="utf-8"), re.M)
    yield "\n".join(f"- {reason}" for reason in dict.fromkeys(reasons)) + "\n"


def page() -> str:
    parts = [
        *section("Numbers", NUMBERS),
        *section("Modes and Programs", MODES),
        *operators(),
        *conformance(),
    ]
    return HEAD + "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
