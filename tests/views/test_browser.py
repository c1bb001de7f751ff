"""All views of notebooks on one page: well formed, and, where there is a Chromium, laid out so that texts fit into their boxes."""

from __future__ import annotations

import base64
import json
import re
from html import unescape
from typing import Any

import numpy as np
import pytest

import paddle_lite as paddle
import paddle_lite.fluid as fluid
from benchmarks.browser import page_after_scripts
from paddle_lite.core.views.page import page
from paddle_lite.static import plan_of

from .checker import Checker, complaints

MEASURE = """<script>{
  document.querySelectorAll("details").forEach(each => { each.open = true; });
  const wide = [], sizes = [];
  for (const group of document.querySelectorAll("svg g")) {
    const shape = group.querySelector(":scope > rect, :scope > ellipse");
    for (const text of shape ? group.querySelectorAll(":scope > text") : []) {
      const box = shape.getBBox(), own = text.getBBox();
      if (own.width > box.width * 1.2 || own.y < box.y - 4 || own.y + own.height > box.y + box.height + 4)
        wide.push([text.textContent, own.width, box.width]);
    }
  }
  for (const each of document.querySelectorAll("svg, table, img")) {
    const size = each.getBoundingClientRect();
    sizes.push([each.tagName.toLowerCase(), size.width, size.height]);
  }
  const shown = document.createElement("pre");
  shown.textContent = JSON.stringify({wide, sizes});
  document.body.replaceChildren(shown);
}</script>"""


class Net(paddle.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.conv = paddle.nn.Conv2D(1, 4, 3, act="relu")
        self.top = paddle.nn.Linear(4 * 6 * 6, 2)

    def forward(self, x: Any) -> Any:
        return self.top(paddle.reshape(self.conv(x), [-1, 4 * 6 * 6]))


def views() -> dict[str, str]:
    """What notebooks show, by name."""
    program = fluid.Program()
    with fluid.program_guard(program, fluid.Program()):
        x = fluid.data("x", [None, 4], "float32")
        loss = fluid.layers.mean(fluid.layers.fc(fluid.layers.fc(x, 3, act="relu"), 2))
        fluid.optimizer.Adam(0.1).minimize(loss)
    found = {"Program": program, "Plan": plan_of(program, None, [loss])}
    with paddle.imperative.guard():
        net, image = Net(), paddle.to_tensor(np.ones([2, 1, 8, 8], "float32"))
        found |= {
            "matrix": paddle.to_tensor(np.eye(3)),
            "Variable": image,
            "Layer": net,
            "summary": paddle.summary(net, [2, 1, 8, 8]),
        }
        with paddle.plot.profile(net) as profile:
            loss = paddle.mean(net(image))
        found |= {"tape": paddle.plot.graph(loss), "flame graph": profile}
    shown = {name: value._repr_html_() for name, value in found.items()}  # type: ignore[attr-defined]
    data, size = paddle.plot.curves({"train/loss": [3, 2, 1]})._repr_png_()
    coded = base64.b64encode(data).decode()
    shown["curves"] = f'<img src="data:image/png;base64,{coded}" width="{size["width"]}" height="{size["height"]}">'
    return shown


def test_views_are_well_formed_and_texts_fit_into_their_boxes() -> None:
    shown = views()
    assert {name: found for name, html in shown.items() if (found := complaints(html))} == {}
    expected = Checker()
    expected.feed("".join(shown.values()))
    pictures = [tag for tag in expected.tags if tag in ("svg", "table", "img")]
    assert pictures.count("svg") == 5
    after = page_after_scripts(page("<hr>".join(shown.values()) + MEASURE, "views"))
    if after is None:  # no Chromium here
        return
    match = re.search(r"<pre>(.*)</pre>", after, re.DOTALL)
    assert match is not None, after[-2000:]
    found = json.loads(unescape(match.group(1)))
    assert found["wide"] == []
    assert [tag for tag, _, _ in found["sizes"]] == pictures
    assert all(width > 30 and height > 20 for _, width, height in found["sizes"])


@pytest.mark.parametrize(
    ("html", "complaint"),
    [
        ("<div><p></div>", "closes what is not open"),
        ("<table>", "<table> is not closed"),
        ("<svg><rect x='nan'/></svg>", "is no number"),
        ('<svg><path d="M1 nan"/></svg>', "nan or inf"),
        ("<svg>&nbsp;</svg>", "SVG"),
        ("<script src='x'></script>", "loads"),
        ("<b onclick='x'></b>", "runs"),
    ],
)
def test_the_checker_finds_faults(html: str, complaint: str) -> None:
    assert any(complaint in each for each in complaints(html))
