"""Find a domain by name: a built-in one, or one in a Python module or file of the user."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING

from holdtrue.errors import DomainError
from holdtrue.world.domain import Domain
from holdtrue.world.logic_grid import LOGIC_GRID
from holdtrue.world.scheduling import SCHEDULING
from holdtrue.world.seating import SEATING

if TYPE_CHECKING:
    from collections.abc import Iterator

BUILTIN: Mapping[str, Domain] = MappingProxyType({domain.name: domain for domain in (SEATING, SCHEDULING, LOGIC_GRID)})


def find_domain(name: str) -> Domain:
    """Return the domain with this name. Raises `DomainError` if there is none.

    The name is that of a built-in domain, or `module:NAME` or `file.py:NAME` for a `Domain` in Python. Modules may also
    be in the current directory, and a file may import modules from its folder.
    """
    built_in = BUILTIN.get(name)
    if built_in is not None:
        return built_in
    source, colon, attribute = name.rpartition(":")
    if not colon or not source or not attribute:
        forms = "module:NAME or file.py:NAME"
        raise DomainError(f"unknown domain {name!r}; built in: {', '.join(BUILTIN)}; your own: {forms}")
    module = _load_file(source) if source.endswith(".py") else _load_module(source)
    found = getattr(module, attribute, None)
    if found is None:
        own = [key for key, value in vars(module).items() if isinstance(value, Domain)]
        raise DomainError(f"{source} has no {attribute!r}; its domains: {', '.join(own) or 'none'}")
    if not isinstance(found, Domain):
        raise DomainError(f"{attribute!r} in {source} is a {type(found).__name__}, not a Domain")
    return found


def _load_module(name: str) -> ModuleType:
    # A console script, unlike `python -m`, does not find modules in the current directory.
    with _importable(Path.cwd()):
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is not None and f"{name}.".startswith(f"{error.name}."):
                raise DomainError(f"there is no module {name!r} on the path or in {Path.cwd()}") from error
            raise _import_error(name, error) from error
        except (Exception, SystemExit) as error:
            raise _import_error(name, error) from error


def _load_file(path: str) -> ModuleType:
    file = Path(path)
    if not file.is_file():
        raise DomainError(f"there is no file {path!r}")
    name = f"holdtrue_domain_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise DomainError(f"{path!r} cannot be imported as Python")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses and pickling look up their module by name, also while it is executed.
    sys.modules[name] = module
    with _importable(file.resolve().parent):
        try:
            spec.loader.exec_module(module)
        except (Exception, SystemExit) as error:
            sys.modules.pop(name, None)
            raise _import_error(path, error) from error
    return module


def _import_error(source: str, error: BaseException) -> DomainError:
    # A user's module may fail in any way, or end the program silently. Every such error gets a message.
    reason = str(error) if isinstance(error, DomainError) else f"{type(error).__name__}: {error}"
    return DomainError(f"{source} cannot be imported: {reason}")


@contextmanager
def _importable(folder: Path) -> Iterator[None]:
    """Put a folder first on the import path within the `with` block, as for a script in that folder."""
    here = str(folder)
    if here in sys.path or ("" in sys.path and folder == Path.cwd()):
        yield
        return
    sys.path.insert(0, here)
    importlib.invalidate_caches()
    try:
        yield
    finally:
        if here in sys.path:
            sys.path.remove(here)
