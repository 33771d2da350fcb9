"""Studies: a published question, run again and compared cell by cell.

A study is a folder of data, and anyone's folder is one:

| file | what it holds |
|---|---|
| `README.md` | what was asked, what we model, what came out |
| `study.toml` | cases to run, what to measure, how to judge, assumptions, oracles, figures |
| `*.toml` | scenarios, as for `uplane run` |
| `published.csv` | the published values: where they stand and how they were read |
| `expected.csv` | our own values of the quick variant: a golden, apart from the published ones |
| `full.csv` | those of the full variant with their intervals, as far as they were written down |
| `costs.csv` | the events of one run of each case, to say beforehand how long a variant takes |

>>> from uplane import study
>>> [outcome] = study.reproduce(["002"], full=False)  # doctest: +SKIP
>>> print(study.summary(outcome))  # doctest: +SKIP

A reading order of this package: `folder` (what may stand in a study), `case` (its points), `runs`
(what is run), `work` (the runs, made or kept), `measure` (one number a run), `items` (all numbers,
and claims), `verdict` (the comparison), `power` (what it is worth), `engine`.
"""

from uplane.study.engine import reproduce, run_study
from uplane.study.errors import StudyError
from uplane.study.folder import Study, find, load, shipped
from uplane.study.forecast import Forecast
from uplane.study.outcome import Outcome
from uplane.study.power import counted
from uplane.study.text import counts, null_models, summary, table
from uplane.study.verdict import Row

__all__ = [
    "Forecast",
    "Outcome",
    "Row",
    "Study",
    "StudyError",
    "counted",
    "counts",
    "find",
    "load",
    "null_models",
    "reproduce",
    "run_study",
    "shipped",
    "summary",
    "table",
]
