"""A LogWriter that prints numbers and keeps nothing, of VisualDL 1 (modes and scalars) and 2."""

import contextlib


class LogWriter:
    """Takes what the one of VisualDL takes."""

    def __init__(self, logdir="runs", **keywords):
        self.logdir = logdir

    def add_scalar(self, tag, value, step, **keywords):
        """Print a number."""
        print(f"{tag} at {step}: {float(value):.6g}")

    def add_image(self, tag, img, step, **keywords):
        """Print the shape of a picture."""
        print(f"{tag} at {step}: picture {img.shape}")

    def add_audio(self, tag, audio_array, step, *arguments, **keywords):
        """Print the length of a sound."""
        print(f"{tag} at {step}: sound {len(audio_array)}")

    def add_histogram(self, tag, values, step, *arguments, **keywords):
        """Print how many numbers there are."""
        print(f"{tag} at {step}: {len(values)} numbers")

    @contextlib.contextmanager
    def mode(self, name):
        """Give a writer whose scalars have the name of a mode."""
        yield LogWriter(name)

    def scalar(self, tag):
        """Return what takes the numbers of one curve."""
        return Scalar(self, f"{self.logdir} {tag}")

    def __enter__(self):
        """Give itself to a with statement."""
        return self

    def __exit__(self, *exception):
        """Keep nothing open."""

    def close(self):
        """Hold nothing open."""


class Scalar:
    """A curve of VisualDL 1."""

    def __init__(self, writer, tag):
        self.writer, self.tag = writer, tag

    def add_record(self, step, value):
        """Print a number."""
        self.writer.add_scalar(self.tag, value, step)
