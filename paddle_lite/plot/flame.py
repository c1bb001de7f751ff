"""`flame_graph`: where the time of a run goes, as nested bars."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from html import escape
from typing import Any, NamedTuple

from ..core.errors import ArgumentTypeError, FileFormatError, MissingFileError, ModeError, describe, message
from ..core.views.graph import FONT, text_width
from ..core.views.page import Picture
from .profiling import Profile

__all__ = ["flame_graph"]

WHERE = "plot.flame_graph"
WIDTH, ROW, AXIS, LEGEND = 960.0, 20.0, 20.0, 26.0
THIN = 0.25
"""Bars of less than this many pixels are left out."""
COLORS = {
    "whole": ("all", "#E4E4E4"),
    "layer": ("Layers", "#8CC5EA"),
    "operator": ("operators", "#F3C66B"),
    "gradient": ("gradients", "#7FCFB4"),
    "transfer": ("other processes", "#DDA6C6"),
}


class Span(NamedTuple):
    """One call; times in milliseconds."""

    name: str
    kind: str
    start: float
    end: float
    thread: Any


class Bar:
    """All calls of one name inside of the same outer calls."""

    def __init__(self, name: str, kind: str) -> None:
        self.name, self.kind = name, kind
        self.calls, self.time = 0, 0.0
        self.inside: dict[str, Bar] = {}


def flame_graph(profile: Any, title: str = "flame graph") -> Picture:
    """Draw where the time goes: the width of a bar is the time of all calls of its name, those made inside of them stand below it.

    Arguments:
        profile: what `plot.profile` has yielded; or the path of a trace that `fluid.profiler` or `plot.chrome_trace` has written.
        title: the title.

    Returns:
        A Picture: a notebook shows it, `save(path)` writes .svg or .html. Pointing at a bar shows its time and calls.

    Raises:
        ArgumentTypeError: `profile` is neither.
        MissingFileError, FileFormatError: there is no such file, or it is no trace.
        ModeError: nothing was recorded.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> with paddle.plot.profile() as found:
    ...     loss = paddle.mean(paddle.to_tensor(np.ones([8, 4], 'float32')))
    >>> 'mean' in paddle.plot.flame_graph(found).svg
    True
    """
    if isinstance(profile, Profile):
        spans = _recorded(profile)
    elif isinstance(profile, (str, os.PathLike)):
        spans = _read(os.fspath(profile))
    else:
        raise ArgumentTypeError(
            message(WHERE, "profile", describe(profile), "a Profile, of plot.profile(), or the path of a trace")
        )
    if not spans:
        raise ModeError(
            f"{WHERE}: nothing was recorded. Run the network inside of `with paddle_lite.plot.profile(net) as found:`."
        )
    return Picture(title, _svg(_nested(spans), title))


def _recorded(profile: Profile) -> list[Span]:
    return [
        Span(e.name, "layer" if e.name in profile.layers else _kind(e.name), e.start / 1e6, e.end / 1e6, e.thread)
        for e in profile.recording.events
    ]


def _kind(name: str) -> str:
    return "gradient" if name.endswith("_grad") or name == "gradient" else "operator"


def _read(path: str) -> list[Span]:
    try:
        with open(os.fspath(path), encoding="utf8") as file:
            content = json.load(file)
        events = content["traceEvents"] if isinstance(content, dict) else content
        return [
            Span(e["name"], "transfer" if e.get("cat") == "rpc" else _kind(e["name"]), e["ts"] / 1e3, (e["ts"] + e["dur"]) / 1e3,
                 (e.get("pid"), e.get("tid")))
            for e in events if e.get("ph") == "X"
        ]  # fmt: skip
    except FileNotFoundError:
        raise MissingFileError(f"{WHERE}: there is no {path}.") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise FileFormatError(
            f"{WHERE}: {path} is no trace of fluid.profiler or of Chrome (JSON with traceEvents)."
        ) from None


def _nested(spans: Iterable[Span]) -> Bar:
    """Return the bars of calls: a call is inside of another one if that contains its time in the same thread."""
    whole = Bar("all", "whole")
    threads: dict[Any, list[tuple[float, Bar]]] = {}
    for span in sorted(spans, key=lambda each: (each.start, -each.end)):
        outer = threads.setdefault(span.thread, [])
        while outer and outer[-1][0] < span.end:
            outer.pop()
        parent = outer[-1][1] if outer else whole
        bar = parent.inside.setdefault(span.name, Bar(span.name, span.kind))
        bar.calls += 1
        bar.time += span.end - span.start
        outer.append((span.end, bar))
        if parent is whole:
            whole.time += span.end - span.start
    return whole


def _svg(whole: Bar, title: str) -> str:
    shapes: list[str] = []
    scale = WIDTH / whole.time if whole.time else 0.0
    depth = _draw(whole, 0.0, 0, scale, whole.time, shapes)
    drawn = "".join(shapes)
    used = [kind for kind, (_, color) in COLORS.items() if kind != "whole" and f'fill="{color}"' in drawn]
    height = LEGEND + ROW * depth + AXIS
    font = f'font-family="Helvetica, Arial, sans-serif" font-size="{FONT:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH:.0f}" height="{height:.0f}" viewBox="0 0 {WIDTH:.0f} {height:.0f}" {font}>'
    parts = [f'<text x="0" y="15" font-weight="bold" fill="currentColor">{escape(title)}</text>']
    x = WIDTH
    for kind in reversed(used):
        label, color = COLORS[kind]
        x -= text_width(label) + 30
        parts.append(
            f'<rect x="{x:.1f}" y="5" width="12" height="12" fill="{color}" stroke="#707070" stroke-width="0.5"/>'
        )
        parts.append(f'<text x="{x + 17:.1f}" y="15" fill="currentColor">{label}</text>')
    for tick in range(6):
        at, anchor = WIDTH * tick / 5, "start" if tick == 0 else "end" if tick == 5 else "middle"
        text = f"{whole.time * tick / 5:.3g} ms" if tick else "0"
        parts.append(
            f'<text x="{at:.1f}" y="{height - 5:.1f}" text-anchor="{anchor}" fill="currentColor">{text}</text>'
        )
    return f"{head}{''.join(parts)}{drawn}</svg>"


def _draw(bar: Bar, left: float, depth: int, scale: float, total: float, shapes: list[str]) -> int:
    """Add the shapes of a bar and of those inside; return the number of rows."""
    wide = bar.time * scale
    if wide < THIN:
        return depth
    own = bar.time - sum(each.time for each in bar.inside.values())
    calls = f", {bar.calls} call{'s' * (bar.calls != 1)}" if bar.calls else ""
    inner = f", {own:.3g} ms of it itself" if bar.inside and bar.calls else ""
    tip = f"{bar.name}: {bar.time:.3g} ms{calls}, {bar.time / total:.1%} of all{inner}"
    y, text = LEGEND + ROW * depth, _fitting(bar.name, wide - 6)
    label = f'<text x="{left + 3:.2f}" y="{y + 14:.1f}" fill="#202020">{escape(text)}</text>' if text else ""
    shapes.append(
        f'<g><title>{escape(tip)}</title><rect x="{left:.2f}" y="{y:.1f}" width="{wide:.2f}" height="{ROW - 1:.1f}" '
        f'fill="{COLORS[bar.kind][1]}" stroke="#ffffff" stroke-width="0.5"/>{label}</g>'
    )
    deepest, at = depth + 1, left
    for each in bar.inside.values():
        deepest = max(deepest, _draw(each, at, depth + 1, scale, total, shapes))
        at += each.time * scale
    return deepest


def _fitting(text: str, width: float) -> str:
    """Return as much of a text as fits."""
    if text_width(text) <= width:
        return text
    while text and text_width(text + "..") > width:
        text = text[:-1]
    return f"{text}.." if len(text) > 1 else ""
