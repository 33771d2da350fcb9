"""The commands and their options.

The work of each is in a module of its own, which is imported when it is called.

| file | commands |
|---|---|
| `of_scenarios` | `run`, `follow`, `explore`, `sweep`, `compare`, `advise` |
| `of_folders` | `merge`, `report`, `table`, `doctor` |
| `built_in` | `cc`, `reproduce`, `list`, `profile`, `schema` |
"""

from uplane.cli.commands import built_in, of_folders, of_scenarios
from uplane.cli.group import app

__all__ = ["app", "built_in", "of_folders", "of_scenarios"]
