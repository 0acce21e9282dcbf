"""Which commits ``make history`` measures: a range of the main line, or a list."""

import subprocess
from pathlib import Path

LIBRARY = "jitkernels"  # a commit that changes nothing below it has the library of the one before


def chosen(repository: Path, text: str) -> list[str]:
    """Return the hashes of commits, oldest first.

    text: names between blanks or commas; a range, as in ``v1..main``, stands for its commits that change the library. Of a
    range the first parents count: a merge is one step, with all that it brings. ValueError: git does not know a name.
    """
    hashes = []
    for word in text.replace(",", " ").split():
        if ".." in word:
            answer = git(repository, "rev-list", "--first-parent", word, "--", LIBRARY)
            if not answer:
                raise ValueError(f"no commit of {word} changes {LIBRARY}/{hint(repository)}")
            hashes += answer.splitlines()
        else:
            try:
                hashes.append(git(repository, "rev-parse", "--verify", "--end-of-options", f"{word}^{{commit}}"))
            except ValueError as error:
                raise ValueError(f"no commit {word!r} here{hint(repository)}") from error
    return in_order(repository, hashes)


def in_order(repository: Path, hashes: list[str]) -> list[str]:
    """Return each of these commits once, parents before children, without those that are not here."""
    known = set(hashes)
    listed = (
        git(repository, "rev-list", "--topo-order", "--reverse", "--ignore-missing", *known).splitlines() if known else []
    )
    return [each for each in listed if each in known]


def subject(repository: Path, commit: str) -> str:
    """Return the first line of its message."""
    return git(repository, "log", "-1", "--format=%s", commit)


def git(repository: Path, *arguments: str) -> str:
    """Return what git prints. Raises ValueError with its last line, and the likely cause."""
    answer = subprocess.run(["git", *arguments], cwd=repository, capture_output=True, text=True, errors="replace")
    if answer.returncode:
        reason = (answer.stderr.strip().splitlines() or [f"exit status {answer.returncode}"])[0]
        raise ValueError(f"git {arguments[0]} {arguments[-1]}: {reason}{hint(repository)}")
    return answer.stdout.strip()


def hint(repository: Path) -> str:
    """Return a hint for messages about commits that are not here; empty for a whole clone."""
    command = ["git", "rev-parse", "--is-shallow-repository"]
    is_shallow = subprocess.run(command, cwd=repository, capture_output=True, text=True).stdout.strip() == "true"
    return "; this clone is shallow, and `git fetch --unshallow` brings the rest" if is_shallow else ""
