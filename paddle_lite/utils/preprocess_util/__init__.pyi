"""`paddle.utils.preprocess_util`. Made by `python -m stubs`."""

from paddle_lite.dataset.folders.batches import DataBatcher as DataBatcher
from paddle_lite.dataset.folders.batches import Dataset as Dataset
from paddle_lite.dataset.folders.batches import DatasetCreater as DatasetCreater
from paddle_lite.dataset.preprocess_util import Label as Label
from paddle_lite.dataset.preprocess_util import exclude_pattern as exclude_pattern
from paddle_lite.dataset.preprocess_util import get_label_set_from_dir as get_label_set_from_dir
from paddle_lite.dataset.preprocess_util import list_dirs as list_dirs
from paddle_lite.dataset.preprocess_util import list_files as list_files
from paddle_lite.dataset.preprocess_util import list_images as list_images
from paddle_lite.dataset.preprocess_util import save_file as save_file
from paddle_lite.dataset.preprocess_util import save_list as save_list
