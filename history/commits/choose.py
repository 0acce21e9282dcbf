"""Which commits ``make history`` measures: a range of the main line, or a list."""

from pathlib import Path

from duet.git import commit, git, hint

LIBRARY = "jitkernels"  # a commit that changes nothing below it has the same library as the one before


def commits(repository: Path, text: str) -> list[str]:
    """Return the hashes of commits, oldest first.

    text: names separated by blanks or commas. A range such as ``v1..main`` stands for its commits that change the library.
    It follows first parents, so a merge is one step with all its changes. Raises ValueError for a name that git does not
    know, and for a text without a name.
    """
    hashes = []
    for word in text.replace(",", " ").split():
        if ".." in word:
            try:
                answer = git(repository, "rev-list", "--first-parent", word, "--", LIBRARY)
            except ValueError as error:
                raise ValueError(f"no commit or range {word!r} here{hint(repository)}") from error
            if not answer:
                raise ValueError(f"no commit of {word} changes {LIBRARY}/{hint(repository)}")
            hashes += answer.splitlines()
        else:
            hashes.append(commit(repository, word))
    if not hashes:
        raise ValueError(f"{text!r} names no commit")
    return in_order(repository, hashes)


def in_order(repository: Path, hashes: list[str]) -> list[str]:
    """Return each of these commits once, parents before children, without those that this clone lacks."""
    if not hashes:
        return []
    unique = set(hashes)
    ancestry = git(repository, "rev-list", "--topo-order", "--reverse", "--ignore-missing", *unique)
    return [each for each in ancestry.splitlines() if each in unique]


def in_line(repository: Path, commit: str, hashes: list[str]) -> list[str]:
    """Return those of these commits that are ancestors or descendants of a commit, and itself, parents before children."""
    ancestors = git(repository, "rev-list", commit)
    descendants = git(repository, "rev-list", "--ancestry-path", "--ignore-missing", f"^{commit}", *hashes)
    related = {*ancestors.splitlines(), *descendants.splitlines()}
    return in_order(repository, [each for each in hashes if each in related])


def subject(repository: Path, commit: str) -> str:
    """Return the first line of its message."""
    return git(repository, "log", "-1", "--format=%s", commit)
