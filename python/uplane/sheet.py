"""Comma-separated values that a spreadsheet shows and does not compute.

In: a frame. Out: its text. A text that begins with `=`, `+`, `-`, `@`, a tabulator or a carriage
return, as a formula may, gets an apostrophe in front, by which spreadsheets know a text. Columns of
numbers, and texts that are numbers, stay unchanged.
"""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars

__all__ = ["csv_of", "shown"]

FORMULA = r"^[=+\-@\t\r]"
NUMBER = r"^[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?$"


def csv_of(frame: "polars.DataFrame") -> str:
    """Returns the frame as comma-separated values."""
    import polars

    words = (polars.String, polars.Categorical, polars.Enum)
    texts = polars.col([name for name, kind in frame.schema.items() if kind in words])
    text = texts.cast(polars.String)
    is_formula = text.str.contains(FORMULA) & ~text.str.contains(NUMBER)
    safe = polars.when(is_formula).then(polars.lit("'") + text).otherwise(text)
    names = {name: shown(name) for name in frame.columns}
    return frame.with_columns(safe.name.keep()).rename(names).write_csv()


def shown(text: str) -> str:
    """Returns a cell that no spreadsheet reads as a formula."""
    is_formula = re.search(FORMULA, text) and not re.search(NUMBER, text)
    return f"'{text}" if is_formula else text
