"""Writes settings files: `settings.py FROM TO OLD=NEW ...` copies a file with texts replaced, such as sizes.

`{home}` in OLD stands for the folder of the users' folders, which some programs name.
"""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    source, target, *changes = sys.argv[1:]
    text = Path(source).read_text(encoding="utf8")
    for change in changes:
        old, new = change.split("=>", 1) if "=>" in change else change.split("=", 1)
        old = old.replace("{home}", "/home")
        if old not in text:
            sys.exit(f"{source} has no {old!r}")
        text = text.replace(old, new)
    Path(target).write_text(text, encoding="utf8")
