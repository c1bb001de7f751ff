"""The files of a saved model: which file of a folder holds the Program, and which one the parameters."""

from __future__ import annotations

import os

from ..core.errors import MissingFileError, message
from ..static.program.program import Program
from .inference_model import MODEL
from .program_state import PROGRAM
from .variables import is_persistable


def located(call: str, path: str, model_filename: str | None) -> tuple[str, str]:
    """Return the folder and the file name of a model: of a folder, or of a .pdmodel file with or without its suffix.

    Raises:
        MissingFileError: there is no such model, or there are several.
    """
    if os.path.isdir(path):
        if model_filename is not None or os.path.isfile(os.path.join(path, MODEL)):
            return path, model_filename or MODEL
        found = sorted(name for name in os.listdir(path) if name.endswith(PROGRAM))
        if len(found) == 1:
            return path, found[0]
        got = f"{path} with {', '.join(found) or f'no {MODEL} and no {PROGRAM} file'}"
        raise MissingFileError(message(call, "MODEL", got, "one model", "Name its file: --model FILE."))
    for whole in (path, path + PROGRAM):
        if os.path.isfile(whole):
            return os.path.dirname(whole) or ".", os.path.basename(whole)
    raise MissingFileError(message(call, "MODEL", path, f"a folder, a {PROGRAM} file or its path without the suffix"))


def parameters_file(program: Program, folder: str, file: str) -> str | None:
    """Return the name of the file that holds all parameters of a model; None if each has its own, or if it is not known."""
    stored = [v for v in program.list_vars() if is_persistable(v)]
    if any(os.path.isfile(os.path.join(folder, v.name)) for v in stored):
        return None
    name = file.removesuffix(PROGRAM) + ".pdiparams"
    others = sorted(n for n in os.listdir(folder) if n != file and os.path.isfile(os.path.join(folder, n)))
    return name if name in others else others[0] if stored and len(others) == 1 else None
