"""Stands in for wget, which downloads weights: there is nothing to download from."""


def download(url, out=None):
    """Refuse."""
    raise OSError("nothing is downloaded: " + url)
