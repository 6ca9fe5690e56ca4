"""This module defines `holdtrue export`, which writes problems and runs in the forms of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdtrue.cli.declared_options import make_command, parameter, parameters_of, take
from holdtrue_lab.cli.suite_options import suite_app

if TYPE_CHECKING:
    from holdtrue_lab.kit.export.data_set import Origin
    from holdtrue_lab.kit.suite import Suite

Out = Annotated[Path, typer.Option(help="The folder to write to; it must be empty or new.")]
Name = Annotated[str | None, typer.Option(help="The name of the data set (default: the name of the folder).")]
Licence = Annotated[
    str | None, typer.Option(help="The licence of the exported data, such as mit; you have to know it.")
]
Citation = Annotated[Path | None, typer.Option(help="A BibTeX file with the works to cite.")]

export_app = typer.Typer(help="Write problems and runs for other programs.", no_args_is_help=True)


def _make(suite: Suite) -> Any:
    parameters = [
        parameter("out", Out),
        parameter("name", Name, None),
        parameter("licence", Licence, None),
        parameter("citation", Citation, None),
        parameter("seed", Annotated[int, typer.Option(help="Seed of generated problems.")], 42),
        *parameters_of(suite.source),
    ]
    about = f"Write the problems of suite {suite.name} as a data set of Hugging Face: Parquet files and a card."
    return make_command(suite.name, lambda given: _export_problems(suite, given), parameters, about)


export_app.add_typer(
    suite_app(_make, "The problems of a suite, as a data set.", lambda suite: suite.kind.problem_rows is not None),
    name="problems",
)


def _export_problems(suite: Suite, given: dict[str, Any]) -> None:
    from holdtrue.extras import need

    need("holdtrue export", "pyarrow")
    from holdtrue_lab.kit.export.data_set import export_problems
    from holdtrue_lab.kit.no_model import NO_MODEL

    origin = _origin(given["out"], given["name"], given["licence"], given["citation"])
    loaded = suite.load(take(suite.source, given), seed=given["seed"], model=NO_MODEL)
    for note in loaded.notes:
        typer.echo(note, err=True)
    part = export_problems(suite, loaded.problems, given["out"], origin)
    for split, count in part.splits.items():
        typer.echo(f"{count:,} {part.name} in {split}")
    _say_licence(origin)
    typer.echo(f'load them: datasets.load_dataset("{given["out"]}")')


@export_app.command(name="runs", short_help="Runs, as a data set.")
def export_runs(
    folders: Annotated[list[Path], typer.Argument(help="Folders of runs.", metavar="RUN...")],
    out: Out,
    calls: Annotated[bool, typer.Option("--calls", help="Also the calls: all prompts and replies.")] = False,
    name: Name = None,
    licence: Licence = None,
    citation: Citation = None,
) -> None:
    """Write runs as a data set of Hugging Face, with a split for each run.

    The data set has every line of the journals, and the settings. `holdtrue export unpack` restores the folders, so
    that a report on them has the same figures.
    """
    from holdtrue.extras import need

    need("holdtrue export", "pyarrow")
    from holdtrue_lab.kit.export import exported_runs

    origin = _origin(out, name, licence, citation)
    for part in exported_runs.export_runs(folders, out, origin, calls=calls):
        for split, count in part.splits.items():
            typer.echo(f"{part.name}, {split}: {count:,} rows")
    _say_licence(origin)
    typer.echo(f'load them: datasets.load_dataset("{out}", "journal")')


@export_app.command(name="unpack", short_help="Folders of runs, from such a data set.")
def unpack_runs(
    data_set: Annotated[Path, typer.Argument(help="A data set that `export runs` wrote.", metavar="DATASET")],
    out: Annotated[Path, typer.Option(help="The folder for the folders of the runs.")],
) -> None:
    """Restore the folders of the runs in a data set, for `holdtrue report`."""
    from holdtrue.extras import need

    need("holdtrue export", "pyarrow")
    from holdtrue_lab.kit.export import exported_runs

    for folder in exported_runs.unpack_runs(data_set, out):
        typer.echo(f"{folder}")


@export_app.command(name="inspect", short_help="A run, as logs of Inspect.")
def export_inspect(
    folder: Annotated[Path, typer.Argument(help="The folder of a run.", metavar="RUN")],
    out: Annotated[Path, typer.Option(help="The folder for the logs, one for each method.")],
) -> None:
    """Write a run as logs of Inspect, one for each method, with one sample for each problem.

    The command `inspect view --log-dir OUT` shows them. The delivered text is a message of the assistant. If a text was
    withheld, the log shows it with a mark.
    """
    from holdtrue_lab.kit.export import inspect_log

    for path in inspect_log.export_inspect(folder, out):
        typer.echo(f"{path}")


@export_app.command(name="schema", short_help="The schema of a file that holdtrue writes.")
def print_schema(
    name: Annotated[str | None, typer.Argument(help="The schema's name; without it, all names are listed.")] = None,
) -> None:
    """Print the JSON Schema of a file, or of a line of a file. holdtrue reads the file with the same types."""
    import json

    from holdtrue_lab.kit.export import schemas

    if name is None:
        for own in schemas.schema_names():
            typer.echo(own)
        return
    print(json.dumps(schemas.schema_of(name), indent=1))


def _origin(out: Path, name: str | None, licence: str | None, citation: Path | None) -> Origin:
    from holdtrue.errors import SettingsError
    from holdtrue_lab.kit.export.data_set import Origin

    try:
        cited = "" if citation is None else citation.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise SettingsError(f"--citation {citation}: cannot be read: {error}") from error
    return Origin(name or out.resolve().name, licence, cited)


def _say_licence(origin: Origin) -> None:
    if origin.licence is None:
        typer.echo("The card says that nobody has named a licence: give --licence where you know it.", err=True)
