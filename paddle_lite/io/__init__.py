"""Reading and writing of models in the file formats of PaddlePaddle 1.8.5; `paddle.io` contains the readers, too."""

from ..core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    io.inference_model: load_inference_model save_inference_model
    io.program_state: load load_program_state save set_program_state
    io.state: load_dygraph save_dygraph
    io.variables: get_program_parameter get_program_persistable_vars load_params load_persistables load_vars
    io.variables: save_params save_persistables save_vars
    reader: ComposeNotAligned Fake batch buffered cache chain compose firstn map_readers multiprocess_reader shuffle
    reader: xmap_readers
    reader.dataset: BatchSampler Dataset
    reader.loader: DataLoader PyReader
    reader.piping: PipeReader
    """,
)
