"""Templates: from what a page says to its HTML.

In: a template's name and its values. Out: one document with its style, script and figures inside.
"""

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from uplane.report import colours

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["document"]


def document(template: str, **values: object) -> str:
    """A whole document that needs nothing from outside."""
    return _environment().get_template(template).render(values)


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    here = files("uplane.report")
    made = Environment(
        loader=FileSystemLoader(Path(str(here.joinpath("templates")))),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["style"] = colours.style() + here.joinpath("style.css").read_text("utf-8")
    made.globals["script"] = here.joinpath("page.js").read_text("utf-8")
    return made
