"""The one error that means "skip"."""


class Unavailable(Exception):  # noqa: N818  # no error: a fact about this machine, and the name users know
    """A case cannot run here, and that is nobody's fault.

    Raised by ``prepare`` when a framework is not installed, when a backend has no such device, or when a kernel has no
    version in a backend's dialect. ``str(error)`` is the reason, in one line. A framework that is
    installed but broken is *not* unavailable: its own error passes through.
    """

    def __init__(self, reason: str, by_design: bool = False) -> None:
        """by_design: the kernel is not written for this backend, whatever the machine has; nobody can require it."""
        super().__init__(reason)
        self.reason = reason
        self.by_design = by_design
