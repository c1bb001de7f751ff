"""Reading and writing models in the files of PaddlePaddle 1.8.5."""

from .state import load_dygraph, save_dygraph

__all__ = ["load_dygraph", "save_dygraph"]
