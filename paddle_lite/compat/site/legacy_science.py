"""What programs of 2018-2020 take from SciPy, pandas and Matplotlib, and these have dropped since.

Loaded by sitecustomize.py when a program under `python -m paddle_lite run` imports one of them.
"""

import functools

# --- SciPy ------------------------------------------------------------------------------------------------------------


def restore_scipy(scipy):
    """Restore NumPy's functions by way of SciPy, such as `scipy.random`; dropped in SciPy 1.12."""
    import numpy

    def from_numpy(name):
        try:
            return there(name)
        except AttributeError:
            if name.startswith("_") or (name not in numpy.__all__ and name != "random"):
                raise
            return getattr(numpy, name)

    there = scipy.__getattr__
    scipy.__getattr__ = from_numpy


def restore_scipy_misc(misc):
    """Restore the functions of images, which need Pillow, and those that moved to scipy.special; dropped in SciPy 1.2 and 1.3."""
    from scipy import special

    names = vars(misc)
    for function in (bytescale, fromimage, imread, imresize, imsave, toimage):
        names.setdefault(function.__name__, function)
    for name in ("comb", "factorial", "factorial2", "factorialk", "logsumexp"):
        names.setdefault(name, getattr(special, name))


def bytescale(data, cmin=None, cmax=None, high=255, low=0):
    """Return an array as uint8, with `cmin` and `cmax` (its least and largest number) as `low` and `high`."""
    import numpy

    if data.dtype == numpy.uint8:
        return data
    least = data.min() if cmin is None else cmin
    span = (data.max() if cmax is None else cmax) - least
    scaled = (data - least) * (float(high - low) / (span or 1)) + low
    return (scaled.clip(low, high) + 0.5).astype(numpy.uint8)


def toimage(arr, high=255, low=0, cmin=None, cmax=None, pal=None, mode=None, channel_axis=None):
    """Return an array [height, width], or one with a third axis of 3 or 4 channels, as an image of Pillow."""
    import numpy
    from PIL import Image

    data = numpy.asarray(arr)
    if data.ndim == 2:
        if mode in ("F", "I"):
            return Image.fromarray(data.astype("float32" if mode == "F" else "int32"))
        image = Image.fromarray(bytescale(data, cmin, cmax, high, low))
        if pal is not None:
            image.putpalette(numpy.asarray(pal, dtype=numpy.uint8).tobytes())
        return image if mode in (None, "L", "P") else image.convert(mode)
    if channel_axis is None:
        channel_axis = next((data.shape.index(count) for count in (3, 4) if count in data.shape), None)
    if channel_axis is None or data.ndim != 3 or data.shape[channel_axis] not in (3, 4):
        raise ValueError("'arr' does not have a suitable array shape for any mode.")
    image = Image.fromarray(
        numpy.ascontiguousarray(numpy.moveaxis(bytescale(data, cmin, cmax, high, low), channel_axis, 2))
    )
    return image if mode is None else image.convert(mode)


def fromimage(im, flatten=False, mode=None):
    """Return an image of Pillow as an array; with `flatten` as float32 [height, width] of grey levels."""
    import numpy

    if mode is not None and mode != im.mode:
        im = im.convert(mode)
    elif im.mode == "P":
        im = im.convert("RGBA" if "transparency" in im.info else "RGB")
    if flatten:
        im = im.convert("F")
    elif im.mode == "1":
        im = im.convert("L")
    return numpy.array(im)


def imread(name, flatten=False, mode=None):
    """Return the image in a file as an array."""
    from PIL import Image

    with Image.open(name) as image:
        return fromimage(image, flatten, mode)


def imsave(name, arr, format=None):
    """Write an array as an image."""
    toimage(arr, channel_axis=2 if arr.ndim == 3 else None).save(name, format)


def imresize(arr, size, interp="bilinear", mode=None):
    """Return an image, as uint8, in another size: an int in per cent, a float as a factor, or (height, width)."""
    import numpy
    from PIL import Image

    image = toimage(arr, mode=mode)
    if isinstance(size, (int, numpy.integer)):
        size = size / 100.0
    if isinstance(size, (float, numpy.floating)):
        width, height = (int(each * size) for each in image.size)
    else:
        height, width = (int(each) for each in size[:2])
    ways = {"nearest": 0, "lanczos": 1, "bilinear": 2, "bicubic": 3, "cubic": 3}
    return fromimage(image.resize((width, height), resample=Image.Resampling(ways[interp])))


# --- pandas -----------------------------------------------------------------------------------------------------------


class _ByLabelOrPlace:
    """The `ix` of a table: by label, else by place."""

    def __init__(self, table):
        self.table = table

    def __getitem__(self, key):
        return self._indexer(key)[key]

    def __setitem__(self, key, value):
        self._indexer(key)[key] = value

    def _indexer(self, key):
        """Return the indexer by place if that one alone takes the key, else the one by label, which may add a row."""
        for by in (self.table.loc, self.table.iloc):
            try:
                by[key]
            except (IndexError, KeyError, TypeError, ValueError):
                continue
            return by
        return self.table.loc


def restore_pandas(pandas):
    """Restore `append`, `as_matrix`, `iteritems` and `ix` of tables, `pandas.np`, and `error_bad_lines`; dropped in pandas 1 and 2."""
    import datetime

    import numpy

    vars(pandas).setdefault("np", numpy)
    vars(pandas).setdefault("datetime", datetime.datetime)

    def append(self, other, ignore_index=False, verify_integrity=False, sort=False):
        parts = list(other) if isinstance(other, (list, tuple)) else [other]
        if isinstance(self, pandas.DataFrame):
            parts = [pandas.Series(part) if isinstance(part, dict) else part for part in parts]
            parts = [part.to_frame().T if isinstance(part, pandas.Series) else part for part in parts]
            return pandas.concat(
                [self, *parts], ignore_index=ignore_index, verify_integrity=verify_integrity, sort=sort
            )
        return pandas.concat([self, *parts], ignore_index=ignore_index, verify_integrity=verify_integrity)

    def as_matrix(self, columns=None):
        return (self if columns is None else self[columns]).to_numpy()

    for kind in (pandas.DataFrame, pandas.Series):
        added = {"append": append, "as_matrix": as_matrix, "get_values": lambda self: self.to_numpy()}
        added.update(iteritems=kind.items, ix=property(_ByLabelOrPlace))
        for name, value in added.items():
            if not hasattr(kind, name):
                setattr(kind, name, value)
    read_csv = pandas.read_csv

    @functools.wraps(read_csv)
    def read_csv_as_before(*args, error_bad_lines=None, warn_bad_lines=None, **kwargs):
        if error_bad_lines is not None:
            skipped = "skip" if warn_bad_lines is False else "warn"
            kwargs.setdefault("on_bad_lines", "error" if error_bad_lines else skipped)
        return read_csv(*args, **kwargs)

    pandas.read_csv = read_csv_as_before


# --- Matplotlib -------------------------------------------------------------------------------------------------------


def restore_matplotlib(matplotlib):
    """Let use() be told whether to warn; an error since Matplotlib 3.3."""
    use = matplotlib.use

    @functools.wraps(use)
    def use_as_before(backend, warn=None, **kwargs):
        return use(backend, **kwargs)

    matplotlib.use = use_as_before


def restore_matplotlib_cm(cm):
    """Restore the function that gives a colour map; dropped in Matplotlib 3.9."""

    def get_cmap(name=None, lut=None):
        from matplotlib import pyplot

        return pyplot.get_cmap(name, lut)

    vars(cm).setdefault("get_cmap", get_cmap)


def restore_matplotlib_figure(figure):
    """Let gca() make axes of another projection; an error since Matplotlib 3.7."""
    gca = figure.Figure.gca

    @functools.wraps(gca)
    def gca_as_before(self, **kwargs):
        return self.add_subplot(**kwargs) if kwargs else gca(self)

    figure.Figure.gca = gca_as_before


def restore_matplotlib_style(style):
    """Restore the names of seaborn's styles; dropped in Matplotlib 3.8."""
    for name in [name for name in style.library if name.startswith("seaborn-v0_8")]:
        style.library.setdefault(name.replace("seaborn-v0_8", "seaborn"), style.library[name])


RESTORE = {
    "matplotlib": restore_matplotlib,
    "matplotlib.cm": restore_matplotlib_cm,
    "matplotlib.figure": restore_matplotlib_figure,
    "matplotlib.style": restore_matplotlib_style,
    "pandas": restore_pandas,
    "scipy": restore_scipy,
    "scipy.misc": restore_scipy_misc,
}


def restore(module):
    """Give a module back what it has dropped."""
    RESTORE[module.__name__](module)
