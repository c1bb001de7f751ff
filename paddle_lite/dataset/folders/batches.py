"""Data sets in batches of files, as PaddlePaddle 0.10 read them: `Dataset`, `DataBatcher` and `DatasetCreater` of `paddle.utils`.

1.8.5 fails wherever an image is converted and wherever a batch is of one image, for its code is of Python 2. Here it works.
"""

from __future__ import annotations

import os
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from ...core.errors import ArgumentValueError, ShapeError, message
from ..preprocess_util import save_file, save_list

__all__ = ["DataBatcher", "Dataset", "DatasetCreater"]


class Dataset:
    """Samples in an order.

    Arguments:
        data: a list of samples, tuples of objects with a method `convert_to_paddle_format`.
        keys: the name of each of a sample's parts.

    >>> from paddle_lite.utils.preprocess_util import Dataset, Label
    >>> rows = Dataset([(Label(i % 2, 'odd or even'),) for i in range(4)], ['labels'])
    >>> rows.permute(0, 2)
    >>> sorted(label.label for (label,) in rows.data[:2])
    [0, 1]
    """

    def __init__(self, data: list[Any], keys: Sequence[str]) -> None:
        self.data, self.keys = data, keys

    def check_valid(self) -> None:
        """Do nothing where each sample has a part for each key.

        Raises:
            ShapeError: one has not.
        """
        for number, each in enumerate(self.data):
            if len(each) != len(self.keys):
                raise ShapeError(
                    message("Dataset", f"sample {number}", f"{len(each)} parts", f"{len(self.keys)}, as keys")
                )

    def permute(self, key_id: int | None, num_per_batch: int) -> None:
        """Put the samples into an order of chance.

        Arguments:
            key_id: the number of the part, a Label, whose classes each batch is to have in the same shares; None: any order.
            num_per_batch: the number of samples of a batch.
        """
        if key_id is None:
            self.uniform_permute()
        else:
            self.permute_by_key(key_id, num_per_batch)

    def uniform_permute(self) -> None:
        """Put the samples into an order of chance."""
        random.shuffle(self.data)

    def permute_by_key(self, key_id: int, num_per_batch: int) -> None:
        """Put the samples into an order of chance in which each batch has each class in the share that it has of all.

        Arguments:
            key_id: the number of the part, a Label.
            num_per_batch: the number of samples of a batch.

        Raises:
            ArgumentValueError: a batch has no room for a sample of each class.
        """
        classes: dict[int, list[Any]] = defaultdict(list)
        for each in self.data:
            classes[each[key_id].label].append(each)
        shares = {label: int(len(of) * num_per_batch / len(self.data)) for label, of in classes.items()}
        if not all(shares.values()):
            needs = f"room for each of {len(classes)} classes, of which the rarest has {min(Counter(len(c) for c in classes.values()))} samples"
            raise ArgumentValueError(message("Dataset.permute_by_key", "num_per_batch", str(num_per_batch), needs))
        for of in classes.values():
            random.shuffle(of)
        count = -(-len(self.data) // num_per_batch)
        made = []
        for number in range(count):
            batch = [
                x for label, of in classes.items() for x in of[number * shares[label] : (number + 1) * shares[label]]
            ]
            random.shuffle(batch)
            made += batch
        left = [x for label, of in classes.items() for x in of[count * shares[label] :]]
        random.shuffle(left)
        self.data = made + left


class DataBatcher:
    """Writes the samples of two Datasets into files, batch by batch.

    Arguments:
        train_data, test_data: the Datasets.
        label_set: name of a class -> its number.
    """

    def __init__(self, train_data: Dataset, test_data: Dataset, label_set: Any) -> None:
        self.train_data, self.test_data, self.label_set = train_data, test_data, label_set
        self.num_per_batch = 5000

    def create_batches_and_list(
        self, output_path: str, train_list_name: str, test_list_name: str, label_set_name: str
    ) -> None:
        """Write the batches, lists of their paths, and the classes into a folder.

        Arguments:
            output_path: the folder.
            train_list_name, test_list_name, label_set_name: the names of the files of lists and classes.
        """
        for data, prefix, name in (
            (self.train_data, "train_", train_list_name), (self.test_data, "test_", test_list_name)
        ):  # fmt: skip
            paths = self.create_batches(data, output_path, prefix, self.num_per_batch)
            save_list(paths, os.path.join(output_path, name))
        save_file(self.label_set, os.path.join(output_path, label_set_name))

    def create_batches(
        self, data: Dataset, output_path: str, prefix: str = "", num_data_per_batch: int = 5000
    ) -> list[str]:
        """Write the samples of a Dataset into files `{prefix}batch_000`, each a pickled dict of key -> list, and return the paths.

        Arguments:
            data: the Dataset.
            output_path: the folder.
            prefix: how the names begin.
            num_data_per_batch: the number of samples of a file.
        """
        data.check_valid()
        paths = []
        for number in range(-(-len(data.data) // num_data_per_batch)):
            rows = data.data[number * num_data_per_batch : (number + 1) * num_data_per_batch]
            batch = {key: [row[k].convert_to_paddle_format() for row in rows] for k, key in enumerate(data.keys)}
            paths.append(os.path.join(output_path, f"{prefix}batch_{number:03d}"))
            save_file(batch, paths[-1])
        return paths


class DatasetCreater:
    """Makes batches of the files in two folders, `train` and `test`, of a folder. A subclass says what a file is.

    Arguments:
        data_path: the folder; the batches go into its folder `batches`.
    """

    def __init__(self, data_path: str) -> None:
        self.data_path = data_path
        self.train_dir_name, self.test_dir_name, self.batch_dir_name = "train", "test", "batches"
        self.num_per_batch = 50000
        self.meta_filename, self.train_list_name, self.test_list_name = "batches.meta", "train.list", "test.list"
        self.label_set_name = "labels.pkl"
        self.output_path = os.path.join(data_path, self.batch_dir_name)
        self.overwrite, self.permutate_key, self.from_list = False, "labels", False

    def create_meta_file(self, data: Dataset) -> None:
        """Write what is known of all samples into the file `meta_filename`; a subclass implements it."""
        raise NotImplementedError(f"{type(self).__name__} does not define create_meta_file(data)")

    def create_dataset(self, path: str) -> tuple[Dataset, dict[str, int]]:
        """Return the Dataset of a folder, or of a list in a file where `from_list` is set, and the classes."""
        create: Callable[[str], Any] = self.create_dataset_from_list if self.from_list else self.create_dataset_from_dir
        return create(path)

    def create_dataset_from_list(self, path: str) -> Any:
        """Return the Dataset of a list in a file, and the classes; a subclass implements it."""
        raise NotImplementedError(f"{type(self).__name__} does not define create_dataset_from_list(path)")

    def create_dataset_from_dir(self, path: str) -> Any:
        """Return the Dataset of a folder, and the classes; a subclass implements it."""
        raise NotImplementedError(f"{type(self).__name__} does not define create_dataset_from_dir(path)")

    def create_batches(self) -> str:
        """Write the batches, where `output_path` does not exist or `overwrite` is set, and return its path."""
        train_path, test_path = (os.path.join(self.data_path, n) for n in (self.train_dir_name, self.test_dir_name))
        if os.path.exists(self.output_path) and not self.overwrite:
            return self.output_path
        train, classes = self.create_dataset(train_path)
        test, of_test = self.create_dataset(test_path)
        if not set(of_test) <= set(classes):
            got = f"classes {sorted(set(of_test) - set(classes))} in {test_path}"
            raise ArgumentValueError(message("create_batches", "classes", got, f"those of {train_path} only"))
        os.makedirs(self.output_path, exist_ok=True)
        key = train.keys.index(self.permutate_key) if self.permutate_key in train.keys else None
        train.permute(key, self.num_per_batch)
        test.permute(key, self.num_per_batch)
        batcher = DataBatcher(train, test, classes)
        batcher.num_per_batch = self.num_per_batch
        batcher.create_batches_and_list(
            self.output_path, self.train_list_name, self.test_list_name, self.label_set_name
        )
        self.create_meta_file(train)
        return self.output_path
