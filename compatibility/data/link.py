"""Link folders of a project into the folder of a program, for imports: `link.py ../../parl name=. ...`."""

import sys
from pathlib import Path


def link(paths: list[str], folder: Path) -> None:
    """Make a link to each of `paths` in `folder`, under its last name, or the one in front of a "="."""
    for path in paths:
        name, _, target = path.rpartition("=")
        (folder / (name or Path(target).name)).symlink_to(target)


if __name__ == "__main__":
    link(sys.argv[1:], Path())
