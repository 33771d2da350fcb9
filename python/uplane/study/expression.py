"""Arithmetic over named numbers, read from text without executing it as a program.

In: `100 * (1 - slow / fast)` and the numbers. Out: the value, and how far each number moves it.
"""

import ast
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil, log, sqrt
from statistics import fmean

from uplane.study.errors import StudyError, refused

__all__ = ["check", "evaluate", "gradient"]


def evaluate(text: str, names: Mapping[str, float]) -> float:
    """Evaluates `text`: numbers, names, `+ - * / **`, parentheses and functions.

    The functions are `ln`, `sqrt` and `ceil` of one, `min` and `max` of several, and `mean`, `min`
    and `max` over lists: where the names have `part[0]`, `part[1]`, …, `mean(part / 2)` takes each
    in turn. Lists of one call are of one length.

    Raises:
        StudyError: Something else stands in it, or the numbers have no result.
    """
    tree = _parsed(text)
    try:
        value = _value(tree, names)
    except StudyError:
        raise
    except (ValueError, ArithmeticError, TypeError) as error:
        raise _undefined(text, names, str(error)) from error
    if isinstance(value, complex):
        raise _undefined(text, names, "root of a negative number")
    return value


def check(text: str, names: Iterable[str], lists: Iterable[str] = ()) -> None:
    """Refuses text that is no arithmetic over these names and lists of numbers.

    Raises:
        StudyError: Something else stands in it.
    """
    tree = _parsed(text)
    keys = [*names, *(f"{name}[0]" for name in lists)]
    try:
        _value(tree, {key: 1.5 + place for place, key in enumerate(keys)})
    except StudyError:
        raise
    except (ValueError, ArithmeticError, TypeError):
        return  # these numbers have no result; those of the study may have one


def _parsed(text: str) -> ast.expr:
    try:
        return ast.parse(" ".join(text.split()), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else str(error)
        message = f"found `{text}`, expected arithmetic: {reason}"
        raise StudyError(message, found=text, expected="arithmetic") from error


def _undefined(text: str, names: Mapping[str, float], reason: str) -> StudyError:
    given = ", ".join(f"{name} = {value:g}" for name, value in [*names.items()][:4])
    message = f"cannot compute `{text}`{f' with {given}' if given else ''}: {reason}"
    return StudyError(message, found=text)


def gradient(text: str, names: Mapping[str, float]) -> dict[str, float]:
    """Returns the partial derivative by each name, from a step of a millionth of its value."""
    slopes = {}
    for name, at in names.items():
        step = 1e-6 * (abs(at) or 1.0)
        above = evaluate(text, {**names, name: at + step})
        below = evaluate(text, {**names, name: at - step})
        slopes[name] = (above - below) / (2 * step)
    return slopes


def _value(node: ast.expr, names: Mapping[str, float]) -> float:
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id=name):
            return _number(name, names)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, names)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _SIGNS:
            return _SIGNS[type(sign)](_value(left, names), _value(right, names))
        case ast.Call(func=ast.Name(id=name), args=[part], keywords=[]) if name in _FUNCTIONS:
            return _FUNCTIONS[name](_value(part, names))
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=[]) if name in _OF_MANY:
            return _OF_MANY[name](_each(parts, names))
    functions = ", ".join(sorted({*_FUNCTIONS, *_OF_MANY}))
    expected = f"numbers, names, + - * / ** and the functions {functions}"
    raise refused("", f"`{ast.unparse(node)}`", expected)


def _number(name: str, names: Mapping[str, float]) -> float:
    if name in names:
        return names[name]
    if f"{name}[0]" in names:
        raise refused("", f"the list `{name}`", "it in mean, min or max, which make it one number")
    known = list(dict.fromkeys(each.partition("[")[0] for each in names))
    expected = f"one of {', '.join(known)}" if known else "numbers alone"
    raise refused("", f"no name {name!r} in `of`", expected, asked=name, known=known)


def _each(parts: Sequence[ast.expr], names: Mapping[str, float]) -> list[float]:
    """Returns the values of several parts, or of one for each position of the lists in it."""
    if len(parts) > 1:
        return [_value(part, names) for part in parts]
    used = {node.id for part in parts for node in ast.walk(part) if isinstance(node, ast.Name)}
    lists = {name for name in used if f"{name}[0]" in names}
    lengths = {sum(each.startswith(f"{name}[") for each in names) for name in lists}
    if len(lengths) != 1:
        message = f"found lists of {sorted(lengths)} numbers, expected one length"
        raise StudyError(message)
    return [
        _value(parts[0], {**names, **{name: names[f"{name}[{position}]"] for name in lists}})
        for position in range(*lengths)
    ]


_SIGNS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}

_OF_MANY: dict[str, Callable[[Sequence[float]], float]] = {"min": min, "max": max, "mean": fmean}

_FUNCTIONS: dict[str, Callable[[float], float]] = {"ln": log, "sqrt": sqrt, "ceil": ceil}
