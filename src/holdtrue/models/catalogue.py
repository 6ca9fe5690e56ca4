"""The models that holdtrue can download, and the place of the downloaded files."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from holdtrue.errors import ModelError, SettingsError


@dataclass(frozen=True, slots=True)
class Wheel:
    """A Python wheel that holds a piece of a model file as its `member`. `size` is the piece's number of bytes."""

    package: str
    version: str
    member: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class CatalogueModel:
    """A model file: its name in the catalogue, its description, and the sources of its bytes.

    `size` is in bytes, `licence` is an SPDX name, and `sha256` is of the whole file. `wheels` are its pieces in order.
    """

    name: str
    title: str
    file: str
    size: int
    sha256: str
    licence: str
    url: str
    wheels: tuple[Wheel, ...] = ()

    @property
    def path(self) -> Path:
        """Return the file's path, whether or not it exists."""
        return models_folder() / self.file

    @property
    def downloaded(self) -> bool:
        """Return whether the complete file exists. Its hash was checked before it got this name."""
        return self.path.is_file() and self.path.stat().st_size == self.size


def models_folder() -> Path:
    """Return the folder of downloaded models: `models` in `HOLDTRUE_CACHE`, or in the user's cache folder."""
    chosen = os.environ.get("HOLDTRUE_CACHE")
    if chosen:
        return Path(chosen) / "models"
    from platformdirs import user_cache_path

    return user_cache_path("holdtrue") / "models"


@cache
def load_catalogue() -> tuple[CatalogueModel, ...]:
    """Return all models of the catalogue in its order."""
    here = files("holdtrue.models")
    mirrors = tomllib.loads((here / "mirrors.toml").read_text(encoding="utf-8"))["mirror"]
    wheels = {mirror["model"]: tuple(Wheel(**wheel) for wheel in mirror["wheels"]) for mirror in mirrors}
    models = tomllib.loads((here / "catalogue.toml").read_text(encoding="utf-8"))["model"]
    return tuple(CatalogueModel(**model, wheels=wheels.get(model["name"], ())) for model in models)


def find_model(name: str) -> CatalogueModel:
    """Return the catalogue's model of that name. Raises `SettingsError` with the known names."""
    known = {model.name: model for model in load_catalogue()}
    if name not in known:
        raise SettingsError(f"no model {name!r} in the catalogue; there are {', '.join(known)}")
    return known[name]


def find_model_file(name: str) -> Path:
    """Return the file of a local model: a path that ends in .gguf, or a name of the catalogue.

    Raises `ModelError` if the file is missing, and `SettingsError` for an unknown name.
    """
    if name.endswith(".gguf"):
        if not Path(name).is_file():
            raise ModelError(f"there is no model file {name}")
        return Path(name)
    model = find_model(name)
    if not model.downloaded:
        raise ModelError(f"{name} is not downloaded ({model.size // 10**6} MB): run `holdtrue models pull {name}`")
    return model.path
