"""Batches from a data set of samples, stacked by a loader, without worker processes.

An epoch of 64 batches of 64 images.
"""

from benchmarks.side import Work, bar, on

SAMPLES, BATCH = 4096, 64


def _samples():
    import numpy as np

    rng = np.random.RandomState(0)
    images, labels = rng.rand(SAMPLES, 784).astype("float32"), rng.randint(0, 10, (SAMPLES, 1)).astype("int64")
    return images, labels


def _work(batches, arrays):
    """Return work that iterates over an epoch; `arrays` extracts (image, label) from what a loader yields."""

    def epoch():
        for batch in batches():
            arrays(batch)

    def check():
        import numpy as np

        pairs = [arrays(batch) for batch in batches()]
        return [np.concatenate([np.asarray(pair[k]) for pair in pairs]) for k in range(2)]

    return Work(epoch, check, SAMPLES // BATCH)


def _dataset(base):
    """Return a data set of (image, label) that is derived from the framework's base class."""
    images, labels = _samples()

    class Images(base):
        def __getitem__(self, index):
            return images[index], labels[index]

        def __len__(self):
            return SAMPLES

    return Images()


@on("eager", "torch", "paddle3", "fluid dygraph")
@bar("torch", 1.5)
def time_data_loader(side):
    """DataLoader over a data set, a batch of 64 images"""
    if side.framework == "torch":
        import torch

        loader = torch.utils.data.DataLoader(_dataset(torch.utils.data.Dataset), BATCH)
        return _work(lambda: loader, lambda batch: [each.numpy() for each in batch])
    if side.framework == "paddle3":
        import paddle

        loader = paddle.io.DataLoader(_dataset(paddle.io.Dataset), batch_size=BATCH, num_workers=0)
        return _work(lambda: loader, lambda batch: [each.numpy() for each in batch])
    io = side.fluid.io
    loader = io.DataLoader(_dataset(io.Dataset), batch_size=BATCH, places=[side.place], return_list=True, num_workers=0)
    return _work(lambda: loader, lambda batch: [each.numpy() for each in batch])


@on("eager", "torch", "fluid dygraph")
@bar("torch", 1.0)
def time_ready_batches(side):
    """DataLoader over batches that are there, a batch of 64 images"""
    images, labels = (array.reshape(-1, BATCH, array.shape[1]) for array in _samples())
    if side.framework == "torch":
        import torch

        class Batches(torch.utils.data.Dataset):
            def __getitem__(self, index):
                return images[index], labels[index]

            def __len__(self):
                return len(images)

        loader = torch.utils.data.DataLoader(Batches(), batch_size=None)
    else:
        loader = side.fluid.io.DataLoader.from_generator(capacity=8, return_list=True)
        loader.set_batch_generator(lambda: zip(images, labels), places=side.place)
    work = _work(lambda: loader, lambda batch: [each.numpy() for each in batch])

    def epoch():
        for _ in loader:
            pass

    return Work(epoch, work.check, len(images))


def _reader():
    images, labels = _samples()
    for k in range(SAMPLES):
        yield images[k], labels[k]


@on("static", "torch", "fluid")
@bar("torch", 1.5)
def time_py_reader(side):
    """PyReader over a generator of samples, a batch of 64 images"""
    if side.framework == "torch":
        return time_data_loader(side)
    import numpy as np

    fluid = side.fluid
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        feeds = [fluid.data("image", [None, 784]), fluid.data("label", [None, 1], "int64")]
        reader = fluid.io.PyReader(feeds, capacity=8, iterable=True, return_list=False)
    reader.decorate_sample_generator(_reader, batch_size=BATCH, places=side.place)

    def arrays(batch):
        return [np.asarray(batch[0][name]) for name in ("image", "label")]

    return _work(lambda: reader, arrays)
