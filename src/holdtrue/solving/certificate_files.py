"""Certificates as files."""

from __future__ import annotations

import json
from pathlib import Path

from holdtrue.errors import InfrastructureError
from holdtrue.files import write_whole
from holdtrue.solving.certificate import Certificate, WitnessCertificate


def write_certificate(certificate: Certificate | WitnessCertificate, folder: Path) -> tuple[Path, ...]:
    """Write a refutation as `formula.cnf`, `proof.drat` and `map.json`, or a witness as `witness.json`.

    The folder is made where it is not there. Any DRAT checker takes the first two: `drat-trim formula.cnf proof.drat`.
    Raises `InfrastructureError` where the disk refuses.
    """
    texts = _texts(certificate)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            write_whole(folder / name, text)
    except OSError as error:
        raise InfrastructureError(f"{folder} cannot be written: {error.strerror or error}") from error
    return tuple(folder / name for name in texts)


def _texts(certificate: Certificate | WitnessCertificate) -> dict[str, str]:
    if isinstance(certificate, WitnessCertificate):
        return {"witness.json": _json(certificate.to_json())}
    return {
        # What no encoding can hold (a user's words may hold lone surrogates) is written as escapes.
        "formula.cnf": certificate.cnf.dimacs().encode("utf-8", "backslashreplace").decode("utf-8"),
        "proof.drat": certificate.proof,
        "map.json": _json(certificate.cnf.to_json()),
    }


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"
