"""Optional libraries, and the extras of the package that install them."""

from __future__ import annotations

from importlib.util import find_spec

from holdtrue.errors import SettingsError

EXTRAS = {
    "local": ("xllamacpp",),
    "claims": ("holdtrue_claims",),
    "lab": ("holdtrue_lab",),
    "report": ("jinja2", "matplotlib", "polars"),
    "cpsat": ("ortools",),
    "guard": ("babel", "re2", "jsonschema_rs", "py3langid", "yaml", "unicode_rbnf"),
    "audit": ("fsspec", "msgspec", "pyarrow"),
    "ray": ("ray",),
    "serve": ("aiohttp", "openai", "opentelemetry", "starlette", "uvicorn"),
    "postgres": ("psycopg",),
    "mcp": ("mcp",),
    "policy-import": ("cedarpy", "regopy"),
    "langchain": ("langchain",),
    "openai-agents": ("agents",),
    "pydantic-ai": ("pydantic_ai",),
    "claude": ("claude_agent_sdk",),
    "anthropic": ("anthropic",),
    "adk": ("google.adk",),
    "crewai": ("crewai",),
    "inspect": ("inspect_ai",),
}
"""The optional libraries of each extra. The extra `report` installs `lab` too."""
HTML = ("jinja2", "matplotlib")


def need(who: str, *libraries: str) -> None:
    """Raise a `SettingsError` that says how to install the first missing library. The feature `who` needs them."""
    for library in libraries:
        if not has(library):
            extra = next(name for name, brought in EXTRAS.items() if library in brought)
            raise SettingsError(f"{who} needs {library}; get it by: pip install 'holdtrue[{extra}]'")


def has(library: str) -> bool:
    """Return whether the library is installed."""
    try:
        return find_spec(library) is not None
    except ModuleNotFoundError:  # The package around it is missing.
        return False
