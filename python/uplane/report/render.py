"""Templates: from the values of a page to its HTML.

In: a template's name and its values. Out: one document with its style, script and figures inside.
"""

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from uplane.analysis.changes import in_words
from uplane.report import colours

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["document", "fragment", "style_and_script"]


def document(template: str, **values: object) -> str:
    """A whole document that needs nothing from outside."""
    return _environment().get_template(template).render(values)


def fragment(macro: str, *values: object) -> str:
    """One part of a document, by the macro that makes it in all of them."""
    return str(getattr(_environment().get_template("parts.html.j2").module, macro)(*values))


def style_and_script() -> tuple[str, str]:
    """Returns the style and the script of documents, for a page that loads them as files."""
    made = _environment().globals
    return str(made["style"]), str(made["script"])


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
    made.globals["in_words"] = in_words
    made.globals["style"] = colours.style() + here.joinpath("style.css").read_text("utf-8")
    made.globals["script"] = here.joinpath("page.js").read_text("utf-8")
    return made
