"""Remedies for several values in one: lists and ranges in an option that takes another form.

In: the refused value of an option. Out: the end of the message.
"""

import re

__all__ = ["several_values"]

QUANTITY = re.compile(r"([-+]?\d+(?:\.\d+)?)\s*([A-Za-zµ%/]*)")


def several_values(option: str, key: str, found: str) -> str:
    """Returns the remedy, as the end of a message; empty if the value has no such form."""
    if not found.startswith('"'):
        return ""  # the key is refused, not its value
    text = found.strip('"')
    if option == "set" and (_are_alike(text.split(",")) or _is_range(text, 3)):
        return f"; to run several values: uplane sweep FILE --vary '{key}={text}'"
    if option == "vary" and _is_range(text, 2):
        return "; a range has three parts, FIRST:LAST:STEP"
    if option == "vary" and _are_alike(text.split(" ")):
        return "; write commas between values"
    return ""


def _is_range(text: str, count: int) -> bool:
    parts = text.split(":")
    return len(parts) == count and _are_alike(parts)


def _are_alike(parts: list[str]) -> bool:
    """Reports whether there are several parts: all words, or all numbers of one unit."""
    found = [QUANTITY.fullmatch(part.strip()) for part in parts]
    units = {match[2] if match else None for match in found}
    return len(parts) > 1 and all(part.strip() for part in parts) and len(units) == 1
