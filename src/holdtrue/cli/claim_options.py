"""The command-line options about the check of claims; with None a method keeps its own setting."""

from __future__ import annotations

from typing import Annotated

import typer

from holdtrue.cli.model_names import known_models

Notation = Annotated[str | None, typer.Option(help="Formulas as fol or smtlib.", show_default="fol")]
Samples = Annotated[
    int | None,
    typer.Option(min=1, help="Formulas drawn for each claim; more than half must agree.", show_default="3"),
]
DrawTemperature = Annotated[
    float | None, typer.Option(min=0, help="At which formulas are drawn, if several are.", show_default="1.0")
]
RoundTrip = Annotated[
    float | None,
    typer.Option(
        min=0, max=1, help="Least share of a claim in its formula's words; 0: not asked for.", show_default="0.7"
    ),
]
Routing = Annotated[
    str | None,
    typer.Option(
        help="Who decides: by types, by rules first, hard (all to the solver), or soft (all to judges).",
        show_default="types",
    ),
]
Judges = Annotated[
    int | None, typer.Option(min=1, help="Judges of each claim that no solver can decide.", show_default="5")
]
Accept = Annotated[
    float | None,
    typer.Option(min=0, max=1, help="Least score of an answer that is accepted.", show_default="0.75"),
]
Rounds = Annotated[
    int | None, typer.Option(min=1, help="Answers that the pipeline asks for, at most.", show_default="3")
]
TimeoutMs = Annotated[int, typer.Option(min=1, help="Of each question to the solver, in milliseconds.")]
Formalizers = Annotated[
    list[str] | None,
    typer.Option(help="Another model that draws formulas, in turn with the first; repeatable.", callback=known_models),
]
