"""`paddle.fluid.incubate.data_generator`. Made by `python -m stubs`."""

from paddle_lite.distributed.data.generators import DataGenerator as DataGenerator
from paddle_lite.distributed.data.generators import MultiSlotDataGenerator as MultiSlotDataGenerator
from paddle_lite.distributed.data.generators import MultiSlotStringDataGenerator as MultiSlotStringDataGenerator
