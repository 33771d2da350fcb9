"""Studies: a published question, run again and compared cell by cell.

A study is a folder of data, and anyone's folder is one:

| file | what it holds |
|---|---|
| `README.md` | what was asked, what we model, what came out |
| `study.toml` | cases to run, what to measure, how to judge, assumptions, oracles, figures |
| `*.toml` | scenarios, as for `uplane run` |
| `published.csv` | the published values: where they stand and how they were read |
| `expected.csv` | our own values of the quick variant: a golden, apart from the published ones |

>>> from uplane import study
>>> rows = study.reproduce(["002"], full=False)  # doctest: +SKIP
>>> print(study.table(rows))  # doctest: +SKIP

A reading order of this package: `folder` (what may stand in a study), `case` (what is run),
`measure` (one number a run), `sample` (items and claims), `verdict` (the comparison), `engine`.
"""

from uplane.study.engine import Outcome, reproduce, run_study
from uplane.study.errors import StudyError
from uplane.study.folder import Study, find, load, shipped
from uplane.study.text import table
from uplane.study.verdict import Row

__all__ = [
    "Outcome",
    "Row",
    "Study",
    "StudyError",
    "find",
    "load",
    "reproduce",
    "run_study",
    "shipped",
    "table",
]
