"""Writes `python/uplane/build.py`, the typed scenario builder, from the simulator's JSON Schema.

`make schema` calls it; `make lint` calls it with `--check`, which only says whether the file is
what the schema gives.
"""

import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uplane

TARGET = Path(__file__).parents[1] / "python/uplane/build.py"
HEADER = '''
"""The typed scenario builder: the sections and keys of a scenario file, as dataclasses.

Generated from the schema by `tools/generate_builder.py`; `make schema` writes it again.

>>> from uplane import build
>>> scenario = build.Scenario(
...     radio=build.Geran(rlc_rtt="50 ms"),
...     ping=[build.Ping(name="echo", count=10)],
... )
>>> uplane.run(scenario)  # doctest: +SKIP

A key that is not given has the default that its documentation names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from uplane.section import Section, TopSection

'''

Schema = dict[str, Any]


def main() -> None:
    """Writes the file, or compares it."""
    text = _formatted("".join(_module(uplane.schema())))
    if "--check" not in sys.argv:
        TARGET.write_text(text, encoding="utf-8")
    elif TARGET.read_text(encoding="utf-8") != text:
        sys.exit(f"{TARGET.name} is not what the schema gives: run `make schema`")


def _module(schema: Schema) -> Iterator[str]:
    definitions: dict[str, Schema] = schema["$defs"]
    kinds = {
        name: kind
        for definition in definitions.values()
        for kind, name in _alternatives(definition)
    }
    yield HEADER.lstrip()
    sections = {name: body for name, body in definitions.items() if body.get("type") == "object"}
    others = {name: body for name, body in definitions.items() if name not in sections}
    names = sorted(["Scenario", *definitions])
    yield f"__all__ = {names!r}\n\n"
    # An alias is read at once, so one of plain types stands before one of sections.
    for name, body in others.items():
        yield from _alias(name, body)
    for name, body in sections.items():
        yield from _dataclass(name, body, kinds.get(name), "Section")
    yield from _dataclass("Scenario", schema, None, "TopSection")


def _alias(name: str, body: Schema) -> Iterator[str]:
    yield f'{name}: TypeAlias = "{_type(body)}"\n'
    yield f"{_docstring(_words(body), 0)}\n\n"


def _dataclass(name: str, body: Schema, kind: str | None, base: str) -> Iterator[str]:
    fields: dict[str, Schema] = body["properties"]
    required = set(body.get("required", ()))
    attributes = "\n".join(
        textwrap.fill(
            f"{key}: {_meaning(field)}", 92, initial_indent="    ", subsequent_indent=" " * 8
        )
        for key, field in fields.items()
    )
    yield "@dataclass(frozen=True, kw_only=True)\n"
    yield f"class {name}({base}):\n"
    yield _docstring(f"{body.get('description', '')}\n\nAttributes:\n{attributes}\n", 4) + "\n"
    if kind is not None:
        yield f"    KIND: ClassVar[str | None] = {kind!r}\n\n"
    for key, field in fields.items():
        kind_of_value = _type(field)
        if key in required:
            yield f"    {key}: {kind_of_value}\n"
        else:
            optional = kind_of_value.removesuffix(" | None")
            yield f"    {key}: {optional} | None = None\n"
    yield "\n\n"


def _alternatives(body: Schema) -> Iterator[tuple[str, str]]:
    """Key and section of each alternative of an externally tagged union."""
    for option in body.get("oneOf", ()):
        for key, value in option.get("properties", {}).items():
            yield key, _referred(value)


def _sections(body: Schema) -> list[str]:
    """The types of an externally tagged union; sections that stand together are a sequence."""
    options = [
        [_referred(value) for value in option.get("properties", {}).values()]
        for option in body.get("oneOf", ())
    ]
    return [
        f"Sequence[{' | '.join(option)}]" if len(option) > 1 else option[0]
        for option in options
        if option
    ]


def _type(body: Schema) -> str:
    """The Python type of a value that the schema allows."""
    if "$ref" in body:
        return _referred(body)
    if alternatives := _sections(body):
        return " | ".join(alternatives)
    if options := body.get("oneOf") or body.get("anyOf"):
        return _union(options)
    if literals := body.get("enum") or [body[key] for key in ("const",) if key in body]:
        return f"Literal[{', '.join(map(repr, literals))}]"
    return _simple_type(body)


def _simple_type(body: Schema) -> str:
    match body["type"]:
        case "array":
            return f"Sequence[{_type(body['items'])}]"
        case "object":
            return f"Mapping[str, {_type(body['additionalProperties'])}]"
        case list(names):
            return _union([{**body, "type": name} for name in names])
        case str(name):
            return PLAIN[name]
    message = f"no Python type for {body}"
    raise ValueError(message)


PLAIN = {"boolean": "bool", "integer": "int", "number": "float", "null": "None", "string": "str"}


def _union(options: list[Schema]) -> str:
    """The types of all options, each once and None last; all literals as one."""
    types = list(dict.fromkeys(map(_type, options)))
    if all(name.startswith("Literal[") for name in types):
        return f"Literal[{', '.join(name[8:-1] for name in types)}]"
    return " | ".join(sorted(types, key="None".__eq__))


def _referred(body: Schema) -> str:
    return str(body["$ref"]).rsplit("/", 1)[-1]


def _meaning(field: Schema) -> str:
    text = str(field.get("description", "")).rstrip(".")
    default = field.get("default")
    if default is None or default == "" or isinstance(default, list | dict):
        return f"{text}."
    return f"{text}; {_shown(default)} by default."


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _words(body: Schema) -> str:
    """The description, and that of each literal on its own line."""
    options = body.get("oneOf") or body.get("anyOf") or []
    described = [option for option in options if "description" in option]
    about = body.get("description") or "; ".join(option["description"] for option in described)
    literals = [
        f"{option['const']}: {option['description']}" for option in described if "const" in option
    ]
    return "\n".join([f"{about}\n", *literals, ""]) if literals else about


def _docstring(text: str, indent: int) -> str:
    escaped = text.replace("\\", "\\\\")
    if escaped.endswith('"'):
        escaped += "."
    return textwrap.indent(f'"""{escaped}"""', " " * indent).lstrip("\n")


def _formatted(text: str) -> str:
    command = [
        str(Path(sys.executable).with_name("ruff")),
        "format",
        "--stdin-filename",
        TARGET.name,
        "-",
    ]
    return subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True).stdout


if __name__ == "__main__":
    main()
