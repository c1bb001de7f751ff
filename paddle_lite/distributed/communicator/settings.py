"""The settings of Communicators, by the names of PaddlePaddle 1.8.5: from the environment, and as arguments."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from ...core.errors import ArgumentValueError, message

PREFIX = "communicator_"


@dataclass
class Settings:
    """How a Communicator sends and receives.

    Attributes:
        max_merge_var_num: how many gradients of a parameter are merged, at most, before they are sent.
        send_queue_size: how many gradients of a parameter wait, at most; a trainer that has more waits.
        send_wait_times: how often to wait 10 ms for more gradients to merge.
        thread_pool_size: the number of threads that send.
        independent_recv_thread: whether a thread of its own receives, rather than the one that sends, after it.
        min_send_grad_num_before_recv: after how many gradients parameters are received.
        is_sgd_optimizer: whether merged gradients are summed; their mean is sent otherwise.
        fake_rpc: whether nothing is sent or received, which shows how fast a trainer is alone.
    """

    max_merge_var_num: int = 1
    send_queue_size: int = 1
    send_wait_times: int = 5
    thread_pool_size: int = 5
    independent_recv_thread: bool = True
    min_send_grad_num_before_recv: int = 1
    is_sgd_optimizer: bool = True
    fake_rpc: bool = False


LEAST = {"max_merge_var_num": 1, "send_queue_size": 1, "thread_pool_size": 1}


def settings_of(envs: Mapping[str, Any]) -> Settings:
    """Return the settings of a Communicator.

    Arguments:
        envs: "communicator_..." -> a number or its text; others come from FLAGS_communicator_... of the environment.

    Raises:
        ArgumentValueError: a value is no number, or too small.
    """
    made = Settings()
    for field in fields(Settings):
        name = PREFIX + field.name
        given = envs.get(name, os.environ.get(f"FLAGS_{name}"))
        if given is not None:
            least = LEAST.get(field.name, 0)
            value = whole_number(name, given, least)
            setattr(made, field.name, bool(value) if isinstance(getattr(made, field.name), bool) else value)
    return made


def whole_number(name: str, given: Any, least: int) -> int:
    """Return a setting as an int.

    Raises:
        ArgumentValueError: it is no whole number, or less than `least`.
    """
    text = str(int(given)) if isinstance(given, bool) else str(given).strip()
    if not text.isdecimal() or int(text) < least:
        raise ArgumentValueError(message("Communicator", name, repr(given), f"a whole number, {least} or more"))
    return int(text)
