"""The message classes of trainer_desc.proto; Fluid code imports them from `proto.trainer_desc_pb2`."""

from __future__ import annotations

from ...static.proto.building import messages_of

TABLE = {
    "FetchConfig": """
        1 repeated string fetch_var_names
        2 repeated string fetch_var_str_format
        3 int32 print_period = 100
    """,
    "TableDependencyMap": """
        1 int32 key
        2 repeated int32 values
    """,
    "CopyTableConfig": """
        1 bool need_copy = false
        2 int32 batch_num = 100
        3 repeated int32 src_sparse_tables
        4 repeated int32 dest_sparse_tables
        5 repeated int32 src_dense_tables
        6 repeated int32 dest_dense_tables
        7 repeated string src_var_list
        8 repeated string dest_var_list
        9 bool dense_pull_after_copy = false
        10 bool sparse_copy_by_feasign = true
        11 bool enable_dependency = false
        12 repeated TableDependencyMap table_denpendency_map
    """,
    "AdjustInsWeightConfig": """
        1 bool need_adjust = false
        2 string nid_slot
        3 float nid_adjw_threshold = 0
        4 float nid_adjw_ratio = 0
        5 string ins_weight_slot
    """,
    "HogwildWorkerParameter": """
        1 repeated string skip_ops
        2 repeated string stat_var_names
    """,
    "TrainerDesc": """
        1 string class_name
        2 string device_worker_name
        3 int32 thread_num
        4 bool binding_cpu = false
        5 repeated string filelist
        6 bool debug = false
        7 FetchConfig fetch_config
        8 bool use_cvm = false
        9 bool dump_slot = false
        10 float scale_datanorm = -1
        11 int32 mpi_rank = -1
        12 string dump_fields_path
        13 repeated string dump_fields
        14 string dump_converter
        15 repeated string dump_param
        16 int32 mpi_size = -1
        17 int32 dump_file_num = 16
        18 repeated string check_nan_var_names
        19 CopyTableConfig copy_table_config
        20 AdjustInsWeightConfig adjust_ins_weight_config
        21 bool no_cvm = false
        22 bool thread_barrier
        23 repeated string loss_names
        101 HogwildWorkerParameter hogwild_param
    """,
}

_made = messages_of("trainer_desc.proto", TABLE)

AdjustInsWeightConfig = _made["AdjustInsWeightConfig"]
CopyTableConfig = _made["CopyTableConfig"]
FetchConfig = _made["FetchConfig"]
HogwildWorkerParameter = _made["HogwildWorkerParameter"]
TableDependencyMap = _made["TableDependencyMap"]
TrainerDesc = _made["TrainerDesc"]

__all__ = [
    "AdjustInsWeightConfig",
    "CopyTableConfig",
    "FetchConfig",
    "HogwildWorkerParameter",
    "TableDependencyMap",
    "TrainerDesc",
]
