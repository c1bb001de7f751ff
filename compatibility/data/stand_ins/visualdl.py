"""A LogWriter that prints numbers and keeps nothing."""


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

    def close(self):
        """Hold nothing open."""
