"""What 1.8.5 quantises for the library MKL-DNN, which is not here: each class says what to use in its place."""

from __future__ import annotations

from typing import Any

from ....core.errors import DeviceError
from ..core.strategy import Strategy

__all__ = ["MKLDNNPostTrainingQuantStrategy", "Qat2Int8MkldnnPass", "QatInt8MkldnnPass"]


def _refuse(name: str, fix: str) -> None:
    raise DeviceError(f"{name}: it makes operators of the library MKL-DNN, which are not here. {fix}")


class MKLDNNPostTrainingQuantStrategy(Strategy):
    """Quantises a trained model for MKL-DNN in 1.8.5; here it raises, and `PostTrainingQuantization` quantises a model.

    Raises:
        DeviceError: always.
    """

    def __init__(
        self,
        int8_model_save_path: str | None = None,
        fp32_model_path: str | None = None,
        cpu_math_library_num_threads: int = 1,
    ) -> None:
        _refuse("MKLDNNPostTrainingQuantStrategy", "Use PostTrainingQuantization.")


class QatInt8MkldnnPass:
    """Makes operators of MKL-DNN of a graph in 1.8.5; here it raises, and a frozen graph runs as it is.

    Raises:
        DeviceError: always.
    """

    def __init__(self, _scope: Any = None, _place: Any = None) -> None:
        _refuse("QatInt8MkldnnPass", "Run what QuantizationFreezePass gives.")


class Qat2Int8MkldnnPass:
    """Makes operators of MKL-DNN of a graph in 1.8.5; here it raises, and a frozen graph runs as it is.

    Raises:
        DeviceError: always.
    """

    def __init__(
        self, _quantized_ops: Any, _scope: Any = None, _place: Any = None, _core: Any = None, _debug: bool = False
    ) -> None:
        _refuse("Qat2Int8MkldnnPass", "Run what QuantizationFreezePass gives.")
