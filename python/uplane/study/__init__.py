"""Studies: a published question, run again and compared cell by cell.

A study is a folder of data, and anyone's folder is one:

| file | content |
|---|---|
| `README.md` | question, model and results |
| `study.toml` | cases, measures, judgements, assumptions, oracles, figures |
| `*.toml` | scenarios, as for `uplane run` |
| `published.csv` | the published values, with their place in the paper and how they were read |
| `expected.csv` | our own values of the quick variant: a golden, apart from the published ones |
| `full.csv` | recorded values of the full variant, with intervals |
| `costs.csv` | events of one run of each case, to forecast the duration of a variant |

>>> from uplane import study
>>> [outcome] = study.reproduce(["002"], full=False)  # doctest: +SKIP
>>> print(study.summary(outcome))  # doctest: +SKIP

A reading order of this package: `folder` (the files of a study), `check`, `check_items` and
`check_figures` (refusals before a run), `case` (its points), `runs` (its tasks), `work` (new
and kept runs), `measure` (one number a run), `items` (all numbers, and claims), `verdict` (the
comparison), `power` (its strength against wrong models), `engine`.
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
