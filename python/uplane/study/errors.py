"""The error of a study folder."""

from uplane.errors import InputError

__all__ = ["StudyError"]


class StudyError(InputError):
    """A study that does not exist, cannot be read, or measures nothing."""
