"""Running an ONNX model by ONNX Runtime."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.errors import NotYetAvailable
from ..feeds import LENGTHS, Feed, lengths_of


def run_onnx(made: bytes, feed: Feed) -> list[np.ndarray]:
    """Return what an ONNX model gives.

    Arguments:
        made: the model, serialised.
        feed: the inputs, as an Executor takes them.

    Raises:
        NotYetAvailable: ONNX Runtime is not installed.
    """
    try:
        import onnxruntime
    except ImportError:
        raise NotYetAvailable("convert --check: ONNX Runtime is not installed. Run: pip install onnxruntime") from None
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3  # errors
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(made, options, providers=["CPUExecutionProvider"])
    given: dict[str, Any] = {}
    wanted = {each.name for each in session.get_inputs()}
    for name, tensor in feed.items():
        given[name] = np.asarray(tensor.array)
        if name + LENGTHS in wanted:
            given[name + LENGTHS] = lengths_of(tensor)
    return [np.asarray(value) for value in session.run(None, {k: v for k, v in given.items() if k in wanted})]
