"""The one error that means "skip"."""


class Unavailable(Exception):  # noqa: N818  # no error: a fact about this machine, and the name users know
    """A case cannot run here, although nothing is broken.

    Raised by ``prepare``, for example if a framework is not installed, a backend has no such device, or a kernel is not
    written in a backend's dialect. ``str(error)`` is the reason, in one line. A framework that is installed but broken is
    *not* unavailable: its own error passes through.
    """

    def __init__(self, reason: str, by_design: bool = False) -> None:
        """by_design: the kernel is not written for this backend on any machine, so JITKERNELS_REQUIRE cannot require it."""
        super().__init__(reason)
        self.reason = reason
        self.by_design = by_design
