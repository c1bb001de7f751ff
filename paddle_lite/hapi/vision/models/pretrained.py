"""Weights that were trained on ImageNet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....core.errors import ArgumentValueError, message
from ...download import get_weights_path_from_url


def load_pretrained(model: Any, name: str, published: Mapping[str, tuple[str, str]]) -> None:
    """Load the published weights of a network; they are downloaded if they are not on this machine.

    Arguments:
        model: the network.
        name: its name.
        published: name -> (URL, checksum).

    Raises:
        ArgumentValueError: no weights of the network were published.
        DownloadError: they are not on this machine and cannot be downloaded; the error says where to put them by hand.
    """
    if name not in published:
        needs = f"False: weights were published of {', '.join(published)} only"
        fix = "Model.load() loads weights of your own."
        raise ArgumentValueError(message(name, "pretrained", "True", needs, fix))
    model.load(get_weights_path_from_url(*published[name]))
