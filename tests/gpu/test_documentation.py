"""docs/gpu.md and docs/gpu-programs.md say what happens: their examples run, in their order."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from paddle_lite.kernels import registry
from tests.ops import stand_in

from .nvrtc import compile_cuda, library

PAGE = Path(__file__).resolve().parents[2] / "docs/gpu.md"


def test_examples_of_programs():
    page = (PAGE.parent / "gpu-programs.md").read_text(encoding="utf8")
    examples = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    assert len(examples) == 2
    for each in examples:
        try:
            exec(each, {})
        finally:
            registry.use_gpu_module(None)
            stand_in.forget()


def test_examples(tmp_path, monkeypatch):
    code = "\n".join(re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf8"), flags=re.DOTALL))
    (tmp_path / "gpu_page.py").write_text(code, encoding="utf8")  # a kernel is read from its file
    monkeypatch.syspath_prepend(tmp_path)
    try:
        import gpu_page  # type: ignore[import-not-found]
    finally:
        registry.use_gpu_module(None)
    text = gpu_page.row_means.cuda_source({"T": np.dtype("float32")})
    assert "__global__ void row_means" in text
    if library() is None:
        pytest.skip("NVRTC's wheel is not installed")
    assert compile_cuda(text, "sm_80") == ""
