"""Places of the files that a scenario names.

In: the folder of a scenario, and the name of a file. Out: the path of the file, or an error that
quotes the name.

Data may lie anywhere: it is parsed and never runs. A program has to lie inside the folder, also
after all links of its path are followed. `files.text_of` refuses all but regular files.
"""

import unicodedata
from pathlib import Path

__all__ = ["of_data", "of_program"]


def of_data(folder: Path, name: str) -> Path:
    """Returns the path of a file of data.

    Raises:
        ValueError: The name has control characters.
    """
    if any(unicodedata.category(character) == "Cc" for character in name):
        message = f"{name!a}, a name with control characters"
        raise ValueError(message)
    return folder / name


def of_program(folder: Path, name: str) -> Path:
    """Returns the path of a program.

    Raises:
        ValueError: The program lies outside of the folder.
    """
    path = of_data(folder, name)
    try:
        real, home = path.resolve(), folder.resolve()
    except (OSError, RuntimeError):
        message = f'"{name}": a link that leads nowhere'
        raise ValueError(message) from None
    if not real.is_relative_to(home):
        message = f'"{name}", which lies outside of the folder of the scenario'
        raise ValueError(message)
    return real
