"""Show what an audit found on a page of its own, in one file without anything from elsewhere."""

from __future__ import annotations

from holdtrue.audit.overview import Overview
from holdtrue.extras import need


def as_page(found: Overview, out: str) -> str:
    """Return an overview as an HTML page. Raises `SettingsError` where jinja2 is not installed."""
    need("an audit's page", "jinja2")
    from jinja2 import Environment, PackageLoader, StrictUndefined

    pages = Environment(
        loader=PackageLoader("holdtrue.audit"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return pages.get_template("audit.html.j2").render(found=found, look=found.look, out=out, share=_share)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2%}" if whole else "-"
