"""Arithmetic over named numbers, read from text without executing it as a program.

In: `100 * (1 - slow / fast)` and the numbers. Out: the value, and how far each number moves it.
"""

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from math import ceil, log, sqrt
from statistics import fmean

from uplane.study.errors import StudyError

__all__ = ["evaluate", "gradient"]


def evaluate(text: str, names: Mapping[str, float]) -> float:
    """Evaluates `text`: numbers, names, `+ - * / **`, parentheses and functions.

    The functions are `ln`, `sqrt` and `ceil` of one, `min` and `max` of several, and `mean`, `min`
    and `max` over lists: where the names have `part[0]`, `part[1]`, …, `mean(part / 2)` takes each
    in turn. Lists of one call are of one length.

    Raises:
        StudyError: Something else stands in it.
    """
    try:
        return _value(ast.parse(" ".join(text.split()), mode="eval").body, names)
    except (SyntaxError, KeyError, ValueError, ZeroDivisionError) as error:
        message = f"cannot compute `{text}`: {error!r}"
        raise StudyError(message) from error


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
            return names[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, names)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _SIGNS:
            return _SIGNS[type(sign)](_value(left, names), _value(right, names))
        case ast.Call(func=ast.Name(id=name), args=[part], keywords=[]) if name in _FUNCTIONS:
            return _FUNCTIONS[name](_value(part, names))
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=[]) if name in _OF_MANY:
            return _OF_MANY[name](_each(parts, names))
    message = f"`{ast.unparse(node)}` is not arithmetic over names"
    raise StudyError(message)


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
