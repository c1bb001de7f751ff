"""Curves of the logs of PaddlePaddle 0.10, `paddle.utils.plotcurve`; what it finds in lines was measured on 1.8.5."""

from __future__ import annotations

from pathlib import Path

import pytest

from paddle_lite.plot import trainer_lines

pytest.importorskip("matplotlib")

LINES = ["Pass=3 a=-1.5e-3 b=7\n", "Pass=4 a=2 b=x\n", "b=1 a=2 Pass=3\n", "a=3 Pass=8 b=4 a=5.\n"]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [(["a"], {"a": ([3, 4, 8], [-1.5e-3, 2, 5])}), (["a", "b"], {"a": ([3], [-1.5e-3]), "b": ([3], [7])})],
)
def test_points(keys: list[str], expected: dict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = {}
    curves = trainer_lines.curves

    def record(log: dict, together: bool) -> object:
        drawn.update({name: (each.steps, each.values) for name, each in log.items()})
        return curves(log, together=together)

    monkeypatch.setattr(trainer_lines, "curves", record)
    (tmp_path / "log").write_text("".join(LINES))
    trainer_lines.main(["-i", str(tmp_path / "log"), "-o", str(tmp_path / "o.svg"), "--format", "svg", *keys])
    assert drawn == expected
    assert "<svg" in (tmp_path / "o.svg").read_text()


def test_logs_without_points(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    trainer_lines.plot_paddle_curve([], ["Pass=1 cost=2"], str(tmp_path / "none.png"))
    assert capsys.readouterr().err == "No data to plot. Exiting!\n"
    assert not (tmp_path / "none.png").exists()
