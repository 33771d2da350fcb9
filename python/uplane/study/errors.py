"""The error of a study folder."""

from uplane.errors import UplaneError

__all__ = ["StudyError"]


class StudyError(UplaneError):
    """A study that does not exist, cannot be read, or measures nothing."""
