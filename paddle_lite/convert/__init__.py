"""Conversion of saved models to ONNX, PyTorch, safetensors and PaddlePaddle 3, and of weights from these formats.

`python -m paddle_lite convert MODEL --to onnx` is the command; docs/convert.md says what each format can express.
"""

from ..core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    convert.api: Converted FORMATS convert_model
    convert.check: Difference difference run_here
    convert.feeds: drawn_feed read_feed
    convert.model: Model read_model
    convert.problems: ConversionError
    convert.weights: import_weights read_onnx_weights read_safetensors
    """,
)
