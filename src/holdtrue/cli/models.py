"""The command `holdtrue models`: list and download the models that run on this machine."""

from __future__ import annotations

from typing import Annotated

import typer

models_app = typer.Typer(help="See and fetch models that run on this machine.", no_args_is_help=True)


@models_app.command("list")
def list_models(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON list instead of a table.")] = False,
) -> None:
    """List the models of the catalogue: size, licence, and where they are."""
    from holdtrue.models.catalogue import load_catalogue

    models = load_catalogue()
    if as_json:
        import json

        rows = [
            {
                "name": f"local/{model.name}",
                "title": model.title,
                "size": model.size,
                "licence": model.licence,
                "sha256": model.sha256,
                "downloaded": model.downloaded,
                "path": str(model.path),
            }
            for model in models
        ]
        typer.echo(json.dumps(rows, indent=2))
        return
    width = max(len(model.name) for model in models)
    for model in models:
        where = str(model.path) if model.downloaded else f"not here: holdtrue models pull {model.name}"
        typer.echo(f"local/{model.name:<{width}}  {model.size / 1e6:5.0f} MB  {model.licence}  {where}")


@models_app.command()
def pull(name: Annotated[str, typer.Argument(help="A name that `holdtrue models list` shows.")]) -> None:
    """Fetch a model, check it, and keep it in the user's cache folder (or in HOLDTRUE_CACHE)."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn, TransferSpeedColumn

    from holdtrue.models.catalogue import find_model
    from holdtrue.models.download import pull as fetch

    model = find_model(name.removeprefix("local/"))
    if model.downloaded:
        typer.echo(f"{model.path} is already there")
        return
    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(model.name, total=model.size)
        asked: list[str] = []

        def show(source: str, have: int, size: int) -> None:
            if source not in asked:
                asked.append(source)
                bar.console.print(f"{model.name} from {source}", highlight=False, soft_wrap=True)
            bar.update(task, completed=have, total=size)

        path = fetch(model, show)
    typer.echo(f"{path}: {model.size / 1e6:.0f} MB, licence {model.licence}, sha256 as expected")
