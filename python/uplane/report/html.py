"""What every report is made of: the document, tables, figures with captions, notes.

In: texts, and cells that are HTML already. Out: HTML.
"""

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

__all__ = [
    "Hit",
    "captioned",
    "document",
    "facts",
    "folded",
    "foot",
    "note",
    "table",
    "titled",
    "warned",
]


class Hit(str):
    """A cell that agrees with what is beside it."""

    __slots__ = ()


def document(title: str, body: str) -> str:
    """A whole document that needs nothing from outside."""
    style = files("uplane.report").joinpath("style.css").read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n"
        f"</head>\n<body>\n{body}</body>\n</html>\n"
    )


def table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    numeric: Iterable[int] = (),
) -> str:
    """A table whose cells are HTML; what a column is called decides how it is set."""
    right = set(numeric)
    kinds = [_kind(name, number in right) for number, name in enumerate(columns)]
    head = "".join(
        f"<th{_classes(kind)}>{escape(name)}</th>"
        for kind, name in zip(kinds, columns, strict=True)
    )
    body = "".join("<tr>" + "".join(map(_cell, kinds, row)) + "</tr>\n" for row in rows)
    return f'<div class="scroll"><table><tr>{head}</tr>\n{body}</table></div>\n'


def _kind(column: str, is_number: bool) -> str:  # noqa: FBT001
    names = {"item": "item", "oracle": "item", "note": "note", "how": "note"}
    return "n" if is_number else names.get(column, "")


def _cell(kind: str, cell: str) -> str:
    return f"<td{_classes(kind, 'hit' * isinstance(cell, Hit))}>{cell}</td>"


def _classes(*names: str) -> str:
    given = " ".join(filter(None, names))
    return f' class="{given}"' if given else ""


def captioned(drawing: str, title: str, caption: str) -> str:
    """A figure with what it shows below it."""
    text = f"<b>{escape(title)}.</b> {escape(caption)}".rstrip()
    return f"<figure>{drawing}<figcaption>{text}</figcaption></figure>\n"


def titled(drawing: str, title: str, caption: str) -> str:
    """A figure with its title above it, for drawings that are as wide as the page."""
    head = f"<figcaption><b>{escape(title)}</b></figcaption>" if title else ""
    foot = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f"<figure>{head}{drawing}{foot}</figure>\n"


def facts(pairs: Iterable[tuple[str, str]]) -> str:
    """What is known, name by name; those without a value, which is HTML, are left out."""
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{value}</dd>\n" for name, value in pairs if value)
    return f'<dl class="facts">\n{rows}</dl>\n'


def folded(summary: str, content: str) -> str:
    """HTML that is shown when it is asked for."""
    return f"<details><summary>{escape(summary)}</summary>{content}</details>\n"


def note(html: str) -> str:
    """A remark in small print."""
    return f'<p class="fact">{html}</p>\n'


def warned(warnings: Sequence[str]) -> str:
    """What a reader should know about the runs; nothing where there is nothing to know."""
    if not warnings:
        return ""
    lines = "".join(f"<li>{escape(warning)}</li>" for warning in warnings)
    return f'<h3>Warnings of the runs</h3>\n<ul class="warnings">{lines}</ul>\n'


def foot(runs: int) -> str:
    """The end of a page."""
    of = f"{runs} simulated run{'s' * (runs != 1)}"
    return f"<footer>{note(f'Made by uplane from {of}.').rstrip()}</footer>\n"
