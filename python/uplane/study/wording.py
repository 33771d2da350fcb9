"""Errors of sections in plain words: the key, the value found, and the valid values.

In: an error of pydantic. Out: an error of the study.
"""

from collections.abc import Mapping, Sequence
from types import UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from uplane.study.errors import StudyError, refused

__all__ = ["explained"]

SHARED = "variations"
"""Section without a field of its own: its keys are defaults of each `variation`."""
BRANCHES = frozenset(("bool", "int", "float", "str"))
"""The types of a value that may be a number or a text."""


def explained(error: ValidationError, model: type[BaseModel]) -> tuple[StudyError, list[str]]:
    """Returns the first error of a section, unknown keys before others, and the path of its key."""
    errors = error.errors()
    first = next((each for each in errors if each["type"] == "extra_forbidden"), errors[0])
    path = [str(part) for part in first["loc"]]
    if len(path) > 1 and path[-1] in BRANCHES and len(errors) > 1:
        path = path[:-1]
        found, expected = _found(first["input"]), "a number, a text, true or false"
        if "set" in path and isinstance(first["input"], Mapping):
            expected += '; write a key with dots in quotation marks, as "ping.echo.count"'
        return refused(".".join(path), found, expected), path
    return _explained(first, path, model), path


def _explained(first: Mapping[str, Any], path: Sequence[str], model: type[BaseModel]) -> StudyError:
    key, found = ".".join(path), _found(first["input"])
    match first["type"]:
        case "extra_forbidden" if key == SHARED:
            return refused(key, "values without a variation", "a [[variation]] that takes them")
        case "extra_forbidden":
            known = _keys(_part(model, path[:-1]))
            words = f"one of {', '.join(known)}"
            return refused(key, "an unknown key", words, asked=path[-1], known=known)
        case "missing":
            return StudyError("required, and missing", key=key, expected="a value")
        case "value_error":
            return StudyError(str(first["ctx"]["error"]), key=key)
        case kind:
            return refused(key, found, _expected(kind, first, path, model))


def _expected(
    kind: str, first: Mapping[str, Any], path: Sequence[str], model: type[BaseModel]
) -> str:
    """Returns the valid values of a key, in words."""
    match kind:
        case "literal_error":
            return f"one of {first['ctx']['expected']}"
        case "greater_than_equal":
            return f"a number of at least {first['ctx']['ge']:g}"
        case "less_than_equal":
            return f"a number of at most {first['ctx']['le']}"
        case "model_type" | "model_attributes_type":
            return f"a section with the keys {', '.join(_keys(_part(model, path)))}"
        case _:
            known = (words for start, words in EXPECTED.items() if kind.startswith(start))
            return next(known, f"another value: {first['msg']}")


EXPECTED = {
    "string": "a text",
    "float": "a number",
    "finite": "a finite number",
    "int": "a whole number",
    "bool": "true or false",
    "list": "a list",
    "dict": "a section",
    "too_short": "at least one value",
}
"""The valid values, by the beginning of pydantic's name of the error."""


def _found(value: object) -> str:
    """Returns a value in words, short."""
    if value is None:
        return "an empty cell"
    if isinstance(value, Mapping):
        return "a section"
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "an empty list"
    if isinstance(value, bool):
        return str(value).lower()
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


LONGEST = 80


def _part(model: type[BaseModel], path: Sequence[str]) -> type[BaseModel] | None:
    """Returns the model of the section at a path."""
    kind: object = model
    for name in path:
        kind = _plain(kind)
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            field = kind.model_fields.get(name)
            kind = field.annotation if field else None
        else:
            kind = (get_args(kind) or (None,))[-1]
    kind = _plain(kind)
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None


def _plain(kind: object) -> object:
    """Returns the type of a key that may be absent."""
    if get_origin(kind) in {Union, UnionType}:
        return next((each for each in get_args(kind) if each is not type(None)), None)
    return kind


def _keys(model: type[BaseModel] | None) -> list[str]:
    names = list(model.model_fields) if model else []
    return [*names, SHARED] if "variation" in names else names
