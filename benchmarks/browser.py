"""A Chromium without a window: what a page looks like, and what its scripts find out."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
QUIET = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars",
]  # fmt: skip
SECONDS = 60


def browser() -> str | None:
    """Return the path of a Chromium; None if there is none."""
    return next((path for name in NAMES if (path := shutil.which(name)) is not None), None)


def _run(html: str, options: list[str]) -> str | None:
    """Open a page, with new settings; return what Chromium prints, None if there is none or it does not work here."""
    program = browser()
    if program is None:
        return None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        page = Path(folder, "page.html")
        page.write_text(html, encoding="utf8")
        command = [program, *QUIET, f"--user-data-dir={folder}/settings", *options, page.as_uri()]
        try:
            done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=True)
        except (OSError, subprocess.SubprocessError):
            return None
        return done.stdout.decode("utf8", "replace")


def page_after_scripts(html: str) -> str | None:
    """Return the HTML of a page after its scripts have run; None without a Chromium that works."""
    return _run(html, ["--dump-dom"])


def screenshot(html: str, path: str, width: int, height: int) -> bool:
    """Write a picture of a page as PNG, with two pixels for one of CSS; return whether there was a Chromium that works."""
    found = _run(html, [f"--screenshot={path}", f"--window-size={width},{height}", "--force-device-scale-factor=2"])
    return found is not None and Path(path).exists()
