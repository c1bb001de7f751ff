"""`fluid.io`: readers; saving and loading of static Programs."""

from ..core.missing import missing_names
from ..io.inference_model import load_inference_model, save_inference_model
from ..io.program_state import load, load_program_state, save, set_program_state
from ..io.variables import (
    get_parameter_value,
    get_parameter_value_by_name,
    get_program_parameter,
    get_program_persistable_vars,
    is_belong_to_optimizer,
    is_parameter,
    is_persistable,
    load_params,
    load_persistables,
    load_vars,
    save_params,
    save_persistables,
    save_vars,
)
from ..reader import (
    ComposeNotAligned,
    batch,
    buffered,
    cache,
    chain,
    compose,
    firstn,
    map_readers,
    multiprocess_reader,
    shuffle,
    xmap_readers,
)
from ..reader.dataset import BatchSampler, Dataset, default_collate_fn
from ..reader.loader import DataLoader, PyReader

__getattr__ = missing_names(__name__)

__all__ = [
    "BatchSampler",
    "ComposeNotAligned",
    "DataLoader",
    "Dataset",
    "PyReader",
    "batch",
    "buffered",
    "cache",
    "chain",
    "compose",
    "default_collate_fn",
    "firstn",
    "get_parameter_value",
    "get_parameter_value_by_name",
    "get_program_parameter",
    "get_program_persistable_vars",
    "is_belong_to_optimizer",
    "is_parameter",
    "is_persistable",
    "load",
    "load_inference_model",
    "load_params",
    "load_persistables",
    "load_program_state",
    "load_vars",
    "map_readers",
    "multiprocess_reader",
    "save",
    "save_inference_model",
    "save_params",
    "save_persistables",
    "save_vars",
    "set_program_state",
    "shuffle",
    "xmap_readers",
]
