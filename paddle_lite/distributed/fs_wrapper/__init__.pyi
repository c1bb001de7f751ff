"""`paddle.distributed.fs_wrapper`. Made by `python -m stubs`."""

from paddle_lite import fluid as fluid
from paddle_lite.distributed.file_systems import BDFS as BDFS
from paddle_lite.distributed.file_systems import FS as FS
from paddle_lite.distributed.file_systems import LocalFS as LocalFS
