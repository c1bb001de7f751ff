"""The message classes of data_feed.proto, which describe data sets; Fluid code imports them from `proto.data_feed_pb2`."""

from __future__ import annotations

from ...static.proto.building import messages_of

TABLE = {
    "Slot": """
        1 string name
        2 string type
        3 bool is_dense = false
        4 bool is_used = false
        5 repeated int32 shape
    """,
    "MultiSlotDesc": """
        1 repeated Slot slots
    """,
    "DataFeedDesc": """
        1 string name
        2 int32 batch_size = 32
        3 MultiSlotDesc multi_slot_desc
        4 string pipe_command
        5 int32 thread_num
        6 string rank_offset
        7 int32 pv_batch_size = 32
    """,
}

_made = messages_of("data_feed.proto", TABLE)

DataFeedDesc = _made["DataFeedDesc"]
MultiSlotDesc = _made["MultiSlotDesc"]
Slot = _made["Slot"]

__all__ = ["DataFeedDesc", "MultiSlotDesc", "Slot"]
