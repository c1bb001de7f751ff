"""`python -m paddle_lite cache info`, `clear`, `export` and `import`: the compiled kernels on disk."""

from __future__ import annotations

import os
import sys
import time

from paddle_lite.core.errors import EnforceNotMet
from paddle_lite.core.files.paths import cache_dir
from paddle_lite.kernels import installed_kernels
from paddle_lite.kernels.cpu.conv.autotune import kept_files
from paddle_lite.kernels.kernel_cache import MOST_FILES, clear, contents, makers


def info() -> str:
    """Describe the kernels on disk: where they are, how many there are, and which versions compiled them.

    Returns:
        Text of several lines.

    >>> info().splitlines()[0].split()[0]
    'directory'
    """
    directory = cache_dir("kernels")
    if directory is None:
        return "\n".join(["directory  none: no home directory (set PADDLE_LITE_CACHE_DIR)", _installed(makers())])
    groups, here = contents(), makers()
    files, bytes = sum(group.files for group in groups), sum(group.bytes for group in groups)
    state = "" if os.environ.get("PADDLE_LITE_KERNEL_CACHE") != "0" else "; not used: PADDLE_LITE_KERNEL_CACHE=0"
    lines = [
        f"directory  {directory}{state}",
        f"kernels    {files} files, {megabytes(bytes)}; at most {MOST_FILES} are kept",
    ]
    for group in groups:
        used = time.strftime("%Y-%m-%d %H:%M", time.localtime(group.used))
        who = "this version: " if group.maker in here else ""
        lines.append(
            f"  {group.files:>5}  {megabytes(group.bytes):>9}  last used {used}  {who}{group.maker or 'damaged, or of another form'}"
        )
    lines.append(_installed(here))
    measured = kept_files()
    if measured:
        size = sum(map(os.path.getsize, measured))
        lines.append(f"measured   {count(len(measured))} of convolutions (FLAGS_conv_autotune), {megabytes(size)}")
    if files or measured:
        others = any(group.maker not in here for group in groups)
        lines.append(f"remove     python -m paddle_lite cache clear{' [--others]' * others}")
    return "\n".join(lines)


def _installed(here: list[str]) -> str:
    """Return a line about the kernels that came with the package; here: what this process makes."""
    sizes = [len(installed_kernels.contents_of(name)) for name in installed_kernels.names()]
    if not sizes:
        return "installed  no kernels: they are compiled at their first use"
    maker, off = installed_kernels.maker(), installed_kernels.ignored()
    state = "used where the directory has none" if maker in here else f"not used, made by {maker or 'another form'}"
    return f"installed  {kernels(len(sizes))}, {megabytes(sum(sizes))}; {f'not used: {off}=0' if off else state}"


def show() -> int:
    """Print what `info` says."""
    print(info())
    return 0


def remove(others_only: bool) -> int:
    """Clear the cache and say how much it was; an error is one line, with exit code 1."""
    try:
        files, bytes = clear(keep=makers() if others_only else ())
        measured = kept_files(others_only)
        for path in measured:
            bytes += os.path.getsize(path)
            os.unlink(path)
    except OSError as error:
        print(f"python -m paddle_lite cache clear: {error}", file=sys.stderr)
        return 1
    files += len(measured)
    print(f"{count(files)} removed, {megabytes(bytes)}")
    return 0


def transfer(action: str, path: str) -> int:
    """Export the kernels to an archive, or import those of one; an error is one line, with exit code 1."""
    try:
        from paddle_lite.kernels.kernel_archive import export_kernels, import_kernels

        if action == "export":
            done = export_kernels(path)
            print(f"{kernels(done.files)} exported, {megabytes(done.bytes)}")
        else:
            done = import_kernels(path)
            print(f"{kernels(done.files)} imported, {done.new} of them new, {megabytes(done.bytes)}")
    except (EnforceNotMet, ImportError) as error:
        print(f"python -m paddle_lite {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"python -m paddle_lite cache {action}: {error}", file=sys.stderr)
        return 1
    return 0


def kernels(number: int) -> str:
    """Return a number of kernels, as text.

    >>> kernels(1)
    '1 kernel'
    """
    return f"{number} kernel{'s' * (number != 1)}"


def count(files: int) -> str:
    """Return a number of files, as text.

    >>> count(1), count(2)
    ('1 file', '2 files')
    """
    return f"{files} file{'s' * (files != 1)}"


def megabytes(bytes: int) -> str:
    """Return a size, as text.

    >>> megabytes(5_250_000)
    '5.2 MB'
    """
    return f"{bytes / 1e6:.1f} MB"
