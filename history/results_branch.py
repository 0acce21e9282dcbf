"""The nightly results, on a branch of their own: ``make take-results`` brings them, ``make add-results`` adds what is new.

    python history/results_branch.py take                what the branch has, into asv's directory of results
    python history/results_branch.py leave DIRECTORY     a copy of what is new there
    python history/results_branch.py add [DIRECTORY]     add what is new there, or that copy, to the branch

The branch ``results`` of origin holds machines' directories of results and records, and no code. It only grows: a commit
goes on top of what others have added meanwhile, and none is replaced. asv's list of benchmarks stays out of it, because a
suite has its own. Only the standard library is needed, so that whoever may write to the branch need install nothing.

Exit status: 0 done; 1, in one line, git could not do it.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

RESULTS = Path(".asv/results")  # asv.conf.json's results_dir
BRANCH = "results"
TAKEN = "refs/jitkernels/results"  # the commit of the branch that this clone has seen last
REMOTE = "refs/remotes/origin/results"
SUFFIXES = (".json", ".jsonl")
TRIES = 5  # pushes: another one may come first
AUTHOR = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
          for what, value in (("NAME", "results"), ("EMAIL", "results@localhost"))}  # fmt: skip


class GitError(Exception):
    """What git said, in one line."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="results on a branch of their own")
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("take", help="bring what the branch has")
    verb.set_defaults(do=lambda options: take())
    verb = verbs.add_parser("leave", help="copy what is new here")
    verb.add_argument("directory", type=Path)
    verb.set_defaults(do=lambda options: leave(options.directory))
    verb = verbs.add_parser("add", help="add what is new here to the branch")
    verb.add_argument("directory", type=Path, nargs="?", help="what `leave` made; what is new here without it")
    verb.set_defaults(do=lambda options: add(options.directory) if options.directory else add_new())
    options = parser.parse_args(arguments)
    try:
        print(options.do(options))
    except GitError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def take() -> str:
    """Bring the branch's files here, but for those that were changed here since; says how many."""
    tip = fetched()
    if tip is None:
        return f"origin has no branch {BRANCH} yet"
    before, now, here = tree(seen()), tree(tip), blobs(RESULTS, files(RESULTS))
    own = [path for path, blob in now.items() if here.get(path, blob) not in (blob, before.get(path))]
    wanted = [path for path, blob in now.items() if here.get(path) != blob and path not in own]
    for path in wanted:
        target = RESULTS / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(_git("cat-file", "blob", now[path]))
    _git("update-ref", TAKEN, tip)
    return f"{len(wanted)} files are new in {RESULTS}" + (f"; kept as they are here: {', '.join(own)}" if own else "")


def leave(directory: Path) -> str:
    """Copy what the branch does not have, as far as this clone knows; says how many files."""
    directory.mkdir(parents=True, exist_ok=True)
    known, here = tree(seen()), blobs(RESULTS, files(RESULTS))
    new = [path for path, blob in here.items() if known.get(path) != blob]
    for path in new:
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(RESULTS / path, directory / path)
    return f"{len(new)} new files are in {directory}"


def add_new() -> str:
    with tempfile.TemporaryDirectory(prefix="jitkernels-results-") as directory:
        leave(Path(directory))
        return add(Path(directory))


def add(directory: Path) -> str:
    """Add the files of a directory to the branch, on top of whatever it is by then; says what came of it."""
    new = blobs(directory, files(directory), write=True)
    for _ in range(TRIES):
        tip = fetched()
        commit = grown(tip, new)
        if commit is None:
            return f"the branch {BRANCH} has all of it"
        push = _run("push", "--quiet", "origin", f"{commit}:refs/heads/{BRANCH}")  # refused unless it only adds
        if push.returncode == 0:
            _git("update-ref", TAKEN, commit)
            return f"{len(new)} files are on the branch {BRANCH} now"
        if fetched() == tip:
            raise GitError(_line(push, "push"))
    raise GitError(f"others added to {BRANCH} each time: try again")


def grown(tip: str | None, new: dict[str, str]) -> str | None:
    """A commit that adds files, by their blobs, to the branch's; None where that changes nothing."""
    with tempfile.TemporaryDirectory(prefix="jitkernels-results-") as directory:
        index = {"GIT_INDEX_FILE": str(Path(directory, "index"))}
        _git("read-tree", tip or "--empty", **index)
        lines = b"".join(f"100644 {blob}\t{path}\0".encode() for path, blob in new.items())
        _git("update-index", "-z", "--index-info", input=lines, **index)
        made = _git("write-tree", **index).decode().strip()
    if not new or (tip and _git("rev-parse", f"{tip}^{{tree}}").decode().strip() == made):
        return None
    message = f"Add results of {', '.join(sorted({Path(path).parts[0] for path in new}))}"
    parent = ["-p", tip] if tip else []
    return _git("commit-tree", made, *parent, "-m", message, **AUTHOR).decode().strip()


def files(directory: Path) -> Iterator[str]:
    """What may be kept: results, records and machines, by their paths; neither links nor what is hidden."""
    for path in sorted(directory.rglob("*")):
        inside = path.relative_to(directory)
        hidden = any(part.startswith(".") for part in inside.parts)
        of_a_machine = len(inside.parts) > 1  # what lies above is asv's list of benchmarks
        if path.is_file() and not path.is_symlink() and not hidden and of_a_machine and path.suffix in SUFFIXES:
            yield inside.as_posix()


def fetched() -> str | None:
    """The branch's newest commit at origin, brought here; None where there is no such branch."""
    asked = _run("ls-remote", "--exit-code", "origin", f"refs/heads/{BRANCH}")
    if asked.returncode == 2:
        return None
    if asked.returncode:
        raise GitError(_line(asked, "ls-remote"))
    _git("fetch", "--quiet", "--no-tags", "origin", f"+refs/heads/{BRANCH}:{REMOTE}")
    return _git("rev-parse", REMOTE).decode().strip()


def seen() -> str | None:
    answer = _run("rev-parse", "--quiet", "--verify", TAKEN)
    return answer.stdout.decode().strip() or None


def tree(commit: str | None) -> dict[str, str]:
    """Blobs by path."""
    listed = _git("ls-tree", "-r", "-z", commit).decode() if commit else ""
    entries = (entry.split("\t", 1) for entry in listed.split("\0") if entry)
    return {path: about.split()[2] for about, path in entries}


def blobs(directory: Path, paths: Iterable[str], write: bool = False) -> dict[str, str]:
    """Blobs by path, as git would call them; ``write``: and into its store."""
    listed = list(paths)
    lines = "".join(f"{(directory / path).resolve()}\n" for path in listed).encode()
    options = ["-w"] if write else []
    made = _git("hash-object", *options, "--no-filters", "--stdin-paths", input=lines).decode().split()
    return dict(zip(listed, made, strict=True))


def _git(*arguments: str, input: bytes | None = None, **environment: str) -> bytes:
    answer = _run(*arguments, input=input, **environment)
    if answer.returncode:
        raise GitError(_line(answer, arguments[0]))
    return answer.stdout


def _run(*arguments: str, input: bytes | None = None, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *arguments], input=input, env={**os.environ, **environment}, capture_output=True)


def _line(answer: subprocess.CompletedProcess[bytes], verb: str) -> str:
    said = answer.stderr.decode(errors="replace").strip().splitlines() or [f"exit status {answer.returncode}"]
    return f"git {verb}: {said[-1]}"


if __name__ == "__main__":
    sys.exit(main())
