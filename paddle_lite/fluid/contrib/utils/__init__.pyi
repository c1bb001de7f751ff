"""`paddle.fluid.contrib.utils`. Made by `python -m stubs`."""

from paddle_lite.distributed.hadoop.contrib_client import HDFSClient as HDFSClient
from paddle_lite.distributed.hadoop.contrib_client import multi_download as multi_download
from paddle_lite.distributed.hadoop.contrib_client import multi_upload as multi_upload
from paddle_lite.distributed.transpiler.stored_tables import convert_dist_to_sparse_program as convert_dist_to_sparse_program
from paddle_lite.distributed.transpiler.stored_tables import load_persistables_for_increment as load_persistables_for_increment
from paddle_lite.distributed.transpiler.stored_tables import load_persistables_for_inference as load_persistables_for_inference
from paddle_lite.fluid.contrib.utils import hdfs_utils as hdfs_utils
from paddle_lite.fluid.contrib.utils import lookup_table_utils as lookup_table_utils
