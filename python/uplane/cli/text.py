"""Text of files and command lines for a terminal: no control characters, limited length.

In: a message that quotes files and command lines. Out: one printable line.
"""

__all__ = ["MOST_BYTES", "line", "printable"]

MOST_BYTES = 1800
"""Maximum length of a line, in bytes. A longer line loses its middle."""


def line(text: str) -> str:
    """Returns a printable line of at most `MOST_BYTES`."""
    whole = printable(text[:MOST_BYTES] + text[-MOST_BYTES:] if _is_long(text) else text)
    content = whole.encode()
    if len(content) <= MOST_BYTES:
        return whole
    head, tail = content[: MOST_BYTES * 2 // 3], content[-(MOST_BYTES // 4) :]
    return f"{head.decode(errors='ignore')} … {tail.decode(errors='ignore')}"


def printable(text: str) -> str:
    r"""Returns the text with an escape, such as `\x1b`, for each control character."""
    return text if text.isprintable() else "".join(map(_escaped, text))


def _is_long(text: str) -> bool:
    return len(text) > 2 * MOST_BYTES


def _escaped(character: str) -> str:
    if character.isprintable():
        return character
    if "\udc80" <= character <= "\udcff":  # a byte of a command line that is no UTF-8
        return f"\\x{ord(character) - 0xDC00:02x}"
    return character.encode("unicode_escape").decode("ascii")
