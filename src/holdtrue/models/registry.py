"""Models by name: `local/NAME`, `openai/NAME`, `script/FILE`, `replay/FILE`, and what plugs itself in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from holdtrue.errors import SettingsError
from holdtrue.models.chat import ChatModel

Factory = Callable[[str, str | None], ChatModel]
"""Makes a model from the rest of its name and, for servers, their base URL."""


def open_model(name: str, *, base_url: str | None = None) -> ChatModel:
    """The model of that name; raises `SettingsError` for an unknown kind, and what the backend raises."""
    prefix, slash, rest = name.partition("/")
    factory = _factories.get(prefix)
    if not slash or not rest or factory is None:
        kinds = ", ".join(f"{known}/..." for known in sorted(_factories))
        raise SettingsError(f"no model {name!r}: a model is named {kinds}")
    return factory(rest, base_url)


def register(prefix: str, factory: Factory) -> None:
    """Let names that begin with `prefix/` open models by `factory`."""
    _factories[prefix] = factory


def _local(rest: str, base_url: str | None) -> ChatModel:
    from holdtrue.models.catalogue import find_model_file
    from holdtrue.models.local import LocalModel

    return LocalModel(find_model_file(rest), name=f"local/{rest}")


def _openai(rest: str, base_url: str | None) -> ChatModel:
    from holdtrue.models.openai_compatible import OpenAIModel

    return OpenAIModel(rest, base_url=base_url)


def _script(rest: str, base_url: str | None) -> ChatModel:
    from holdtrue.models.script import load_script

    return load_script(Path(rest))


def _replay(rest: str, base_url: str | None) -> ChatModel:
    from holdtrue.models.replay import open_replay

    return open_replay(Path(rest))


_factories: dict[str, Factory] = {"local": _local, "openai": _openai, "script": _script, "replay": _replay}
