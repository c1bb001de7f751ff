"""Reading and writing models in the files of PaddlePaddle 1.8.5; `paddle.io` has the readers, too."""

from ..core.lazy import namespace as _namespace
from ..core.lazy import table as _table
from .state import load_dygraph, save_dygraph

__getattr__, __dir__ = _namespace(
    __name__,
    _table(
        """
        reader: ComposeNotAligned Fake batch buffered cache chain compose firstn map_readers
        reader: multiprocess_reader shuffle xmap_readers
        reader.dataset: BatchSampler Dataset
        reader.piping: PipeReader
        reader.loader: DataLoader PyReader
        io.inference_model: load_inference_model save_inference_model
        io.program_state: load load_program_state save set_program_state
        io.variables: get_program_parameter get_program_persistable_vars load_params load_persistables load_vars
        io.variables: save_params save_persistables save_vars
        """
    ),
)

__all__ = ["load_dygraph", "save_dygraph"]
