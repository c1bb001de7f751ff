"""`paddle.distributed.utils`. Made by `python -m stubs`."""

from paddle_lite.distributed.cluster import Cluster as Cluster
from paddle_lite.distributed.cluster import Hdfs as Hdfs
from paddle_lite.distributed.cluster import JobServer as JobServer
from paddle_lite.distributed.cluster import Pod as Pod
from paddle_lite.distributed.cluster import Trainer as Trainer
from paddle_lite.distributed.cluster import TrainerProc as TrainerProc
from paddle_lite.distributed.cluster import add_arguments as add_arguments
from paddle_lite.distributed.cluster import find_free_ports as find_free_ports
from paddle_lite.distributed.cluster import get_cluster as get_cluster
from paddle_lite.distributed.cluster import get_host_name_ip as get_host_name_ip
from paddle_lite.distributed.cluster import get_logger as get_logger
from paddle_lite.distributed.cluster import logger as logger
from paddle_lite.distributed.processes.local import start_local_trainers as start_local_trainers
from paddle_lite.distributed.processes.local import terminate_local_procs as terminate_local_procs
from paddle_lite.distributed.processes.local import watch_local_trainers as watch_local_trainers
