"""Room for the renderer of figures, whose engine ends the process where it gets none.

In: the limit of this process's address space. Out: an error in words, before anything is drawn.
"""

from uplane.errors import OutputError

__all__ = ["expect_room"]

NEEDED = 72 * 10**9
"""Bytes of address space: V8 reserves 67 GB for its heaps at its start, and fills hardly any of
them; the rest is this program's."""


def expect_room() -> None:
    """Makes sure that figures can be drawn.

    Raises:
        OutputError: The address space is too small for the renderer.
    """
    try:
        from resource import RLIM_INFINITY, RLIMIT_AS, getrlimit
    except ImportError:  # Windows
        return
    limit, _ = getrlimit(RLIMIT_AS)
    if limit == RLIM_INFINITY or limit >= NEEDED:
        return
    message = (
        f"cannot draw figures: the address space is limited to {limit / 1e9:.1f} GB (ulimit -v), "
        f"and the renderer reserves {NEEDED // 10**9} GB of it, though it fills less than 1 GB. "
        "Lift the limit with `ulimit -v unlimited`, limit memory in another way, or run with --out "
        "DIR and call `uplane report DIR` where there is no such limit"
    )
    raise OutputError(message)
