"""The operators of PaddlePaddle 1.8.5 that are not declared, and why."""

from __future__ import annotations

_REASONS = {
    "It belongs to parameter servers, which a DistributeTranspiler or fleet appends.": """
        fl_listen_and_serv lookup_sparse_table merge_ids prefetch recv_save ref_by_trainer_id split_ids
    """,
    "It needs servers of PSLib or BoxPS, which PaddlePaddle's public builds have not either: embedding(is_distributed=True) keeps rows on servers.": """
        pull_box_sparse pull_sparse pull_sparse_v2 push_dense
    """,
    "It has an MKL-DNN kernel only, and is inserted by the passes for int8 on Intel CPUs: load the model from before.": """
        dequantize quantize requantize
    """,
    "It manages PaddlePaddle's memory: passes insert it, and results do not depend on it.": """
        coalesce_tensor delete_var
    """,
    "It gives C++ readers to other operators: feed batches, or iterate over a DataLoader or py_reader.": """
        create_double_buffer_reader create_py_reader read
    """,
    "It runs a Program inside of PaddlePaddle's imperative mode: declared functions and loaded models call their Plans.": """
        run_program
    """,
}

LEFT_OUT = {type: reason for reason, types in _REASONS.items() for type in types.split()}
"""type -> why it is not declared, one sentence."""
