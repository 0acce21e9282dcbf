"""The exit codes, and the errors that end a verdict before there is one."""

PASSED = 0
REGRESSION = 1
USAGE = 2
LOST = 3  # BASE measured something, HEAD did not
TOO_LITTLE = 4  # nothing, or fewer processes than a judgement needs
INFRASTRUCTURE = 5  # a build, the environment, asv

MEANINGS = {
    PASSED: "nothing is worse",
    REGRESSION: "something is worse",
    USAGE: "invalid arguments",
    LOST: "HEAD lost what BASE measured",
    TOO_LITTLE: "nothing or too little was measured",
    INFRASTRUCTURE: "a build or the environment failed",
}


class UsageError(Exception):
    """The arguments make no sense in this repository. The message is one line."""
