"""`python -m compatibility [--fluid PYTHON] [--project NAME ...] [--only NAME ...] [--mirror DIR] [--data DIR]`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

from .catalog import CATALOG, CatalogError, Program, Project, read_all
from .compare import DIFFERS, INVALID, UNSTEADY, WORKS, Verdict, distance, judge, judge_ours
from .expected import kept, numbers_of
from .outputs import numbers_in
from .page import keep, load, page
from .run import Outcome, Side, Source, run
from .sources import SourceError, cache, fetch, packages


def main(argv: list[str] | None = None) -> int:
    """Run the command line; return 0 if every program that ran works."""
    options = _parser().parse_args(argv)
    try:
        projects = read_all(options.catalog)
        chosen = [(project, _wanted(project, options)) for project in projects]
        if not any(programs for _, programs in chosen):
            raise CatalogError("no program has such a name; --list shows them")
        if options.list:
            _list(chosen)
            return 0
        if options.page:
            _write_page(projects, options)
            return 0
        if options.shake:
            if not options.fluid:
                raise CatalogError("--shake runs on 1.8.5: give --fluid, the Python in which it is installed")
            for project, programs in chosen:
                _shake(project, programs, options)
            return 0
        words = [word for project, programs in chosen for word in _try(project, programs, options)]
    except (CatalogError, SourceError) as error:
        print(f"compatibility: {error}", file=sys.stderr)
        return 2
    if not options.dry:
        _write_page(projects, options)
    return int(any(word not in (WORKS, INVALID) for word in words))


def _write_page(projects: list[Project], options: argparse.Namespace) -> None:
    catalog = options.catalog.resolve()
    folder = catalog.parent / "docs" if catalog == CATALOG else catalog
    (folder / "compatibility.md").write_text(page(projects, catalog / "results"), encoding="utf8")


def _wanted(project: Project, options: argparse.Namespace) -> list[Program]:
    if options.project and project.name not in options.project:
        return []
    return [program for program in project.programs if not options.only or program.name in options.only]


def _list(chosen: list[tuple[Project, list[Program]]]) -> None:
    for project, programs in chosen:
        for program in programs:
            print(f"{project.name:20} {program.name:30} {' '.join(program.command)}")


def _try(project: Project, programs: list[Program], options: argparse.Namespace) -> list[str]:
    """Run programs of one project and keep what was found; return the verdicts."""
    if not programs:
        return []
    source = fetch(project, options.mirror, sys.executable)
    results, words = options.catalog / "results", []
    before = load(project, results)
    for program in programs:
        print(f"{project.name} {program.name} ... ", end="", flush=True)
        if options.fluid:
            row = _on_both_sides(project, program, source, options)
        else:
            row = _here(project, program, source, options, before.get(program.name, {}))
        if row is None:
            print("not run: its numbers on 1.8.5 are not kept; --fluid PYTHON runs it there, too", flush=True)
            continue
        there = "" if row["fluid"] is None else f"{row['fluid']} s, "
        print(f"{row['verdict']}: {row['detail']} ({there}{row['ours']} s)", flush=True)
        words.append(row["verdict"])
        if not options.dry:
            keep(project, {program.name: row}, results)
    return words


def _on_both_sides(project: Project, program: Program, source: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Run a program on PaddlePaddle 1.8.5 and here; return what is kept of it."""
    sides = [Side("fluid", options.fluid), Side("ours", sys.executable)]
    fluid, ours = [_run(project, program, side, source, options) for side in sides]
    verdict = judge(program, fluid, ours)
    if verdict.word == DIFFERS:  # does it differ from itself, too?
        again = judge(program, fluid, _run(project, program, sides[0], source, options))
        verdict = UNSTEADY if again.word == DIFFERS else verdict
    row = _row(verdict, fluid.seconds, ours)
    if verdict.word != INVALID:
        numbers = None if verdict == UNSTEADY else numbers_in(fluid.output, program.numbers)
        row["expected"] = kept(project, program, numbers)
    return row


def _here(
    project: Project, program: Program, source: Path, options: argparse.Namespace, row: dict[str, Any]
) -> dict[str, Any] | None:
    """Run a program on paddle_lite alone, and compare with what is kept of 1.8.5; return None if nothing is."""
    try:
        numbers = numbers_of(project, program, row)
    except KeyError:
        return None
    ours = _run(project, program, Side("ours", sys.executable), source, options)
    return {**_row(judge_ours(program, numbers, ours), row["fluid"], ours), "expected": row["expected"]}


def _row(verdict: Verdict, fluid: float | None, ours: Outcome) -> dict[str, Any]:
    """Return what is kept of a run: the verdict, and the seconds on both sides."""
    there = None if fluid is None else round(fluid, 1)
    return {"verdict": verdict.word, "detail": verdict.detail, "fluid": there, "ours": round(ours.seconds, 1)}


def _shake(project: Project, programs: list[Program], options: argparse.Namespace) -> None:
    """Print how far the numbers of programs move on 1.8.5 alone when their parameters begin a little off."""
    source = fetch(project, options.mirror, sys.executable) if programs else Path()
    for program in programs:
        print(f"{project.name} {program.name} ... ", end="", flush=True)
        sides = [Side("fluid", options.fluid), Side("fluid", options.fluid, options.shake)]
        first, second = [_run(project, program, side, source, options) for side in sides]
        failed = first if first.status else second
        moved = f"moves by {distance(program, first, second):.0e}, may be {program.rtol:.0e} off"
        print(failed.last_line if failed.status else moved, flush=True)


def _run(project: Project, program: Program, side: Side, source: Path, options: argparse.Namespace) -> Outcome:
    ours = side.name == "ours"
    needs = (project.needs + program.needs) if ours else (project.needs_fluid + program.needs_fluid)
    installed = packages(needs, side.python, side.name)
    files = Source(source, installed, options.catalog.absolute() / "data", options.data or cache("datasets"))
    work = options.work / project.name / program.name / side.name
    outcome = run(program, side, files, work.absolute())
    (work / "output.txt").write_text(outcome.output, encoding="utf8")
    return outcome


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m compatibility",
        description="Run programs of other projects on PaddlePaddle 1.8.5 and on paddle_lite, compare what they "
        "print, and write docs/compatibility.md.",
    )
    add = parser.add_argument
    fluid = "the Python in which PaddlePaddle 1.8.5 is installed; without it, paddle_lite is compared with kept numbers of 1.8.5"
    add("--fluid", metavar="PYTHON", help=fluid)
    add("--project", metavar="NAME", nargs="+", help="these projects only")
    add("--only", metavar="NAME", nargs="+", help="these programs only")
    add("--mirror", metavar="DIR", type=Path, help="read Git repositories OWNER+NAME/repo in DIR instead of GitHub")
    add(
        "--data",
        metavar="DIR",
        type=Path,
        help="the data sets of paddle.dataset, one folder each (default: downloaded)",
    )
    work = Path(tempfile.gettempdir(), "paddle_lite_compatibility")
    add("--work", metavar="DIR", type=Path, default=work, help="where programs run and leave output.txt (%(default)s)")
    own = "your own folder with programs/*.toml and data/, which gets results/ and compatibility.md (default: this one)"
    add("--catalog", metavar="DIR", type=Path, default=CATALOG, help=own)
    add("--dry", action="store_true", help="keep no results, and leave the page as it is")
    shake = (
        "run 1.8.5 alone, twice, with parameters that begin off by SIZE of their values: how far do its numbers move?"
    )
    add("--shake", metavar="SIZE", type=float, default=0.0, help=shake)
    add("--page", action="store_true", help="run nothing, and write the page from the results that are kept")
    add("--list", action="store_true", help="list the programs")
    return parser


if __name__ == "__main__":
    sys.exit(main())
