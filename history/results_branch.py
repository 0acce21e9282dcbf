"""The nightly results, on a branch of their own: ``make take-results`` brings them, ``make add-results`` adds new ones.

The branch ``results`` of origin holds machines' directories of results and records, and no code. It only grows: each commit
adds to what others have added. If several runners of one machine measured parts of a file, the parts are merged, in any
order (``history/store/merge.py``). asv's list of benchmarks is left out, because a suite has its own. Only the standard
library is needed, so a job with write access installs nothing.

Exit status: 0 done; 1 git failed, or a file cannot be read or written (with one line); 2 invalid arguments.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from history.store.merge import merged
from history.store.results import RESULTS
from jitkernels.files import write

NEW = Path(".asv/new-results")
BRANCH = "results"
TAKEN = "refs/jitkernels/results"  # the branch's newest commit that this clone has seen
REMOTE = "refs/remotes/origin/results"
SUFFIXES = (".json", ".jsonl")
TRIES = 5  # pushes: another push may come first
SETTINGS = ("user.name=results", "user.email=results@localhost", "core.autocrlf=false")  # contents stay as they are
OPTIONS = [word for setting in SETTINGS for word in ("-c", setting)]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="results on a branch of their own")
    verbs = "bring the branch's results here; copy those that it lacks; add them to it"
    parser.add_argument("verb", choices=["take", "leave", "add"], help=verbs)
    where = f"for `leave` (default: {NEW}), or for `add` to add what `leave` copied"
    parser.add_argument("directory", type=Path, nargs="?", help=where)
    options = parser.parse_args(arguments)
    if options.verb == "add" and options.directory and not options.directory.is_dir():
        parser.error(f"there is no directory {options.directory}: make new-results makes one")
    try:
        if options.verb == "take":
            print(take())
        elif options.verb == "leave":
            print(leave(options.directory or NEW))
        else:
            print(add(options.directory) if options.directory else add_new())
    except OSError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def take() -> str:
    """Bring the branch's files here. Files changed here since are merged with the branch's, if these have changed too, or
    else stay. Return a message with their number."""
    tip = fetch()
    if tip is None:
        return f"origin has no branch {BRANCH} yet"
    before, now, here = blobs(last_seen()), blobs(tip), blobs(write_tree(RESULTS))
    changed_here = [path for path, blob in now.items() if here.get(path, blob) not in (blob, before.get(path))]
    changed_both = {path: now[path] for path in changed_here if now[path] != before.get(path)}
    new = [path for path, blob in now.items() if here.get(path) != blob and path not in changed_here]
    unite(RESULTS, changed_both, RESULTS)
    with index(tip, RESULTS) as variables:
        _git("checkout-index", "--force", "-z", "--stdin", input="\0".join(new), variables=variables)
    _git("update-ref", TAKEN, tip)
    united = f"; united with those here: {', '.join(changed_both)}" if changed_both else ""
    return f"{len(new)} files are new in {RESULTS}{united}"


def leave(directory: Path) -> str:
    """Copy the files that the branch lacked when last seen. Return a message with their number."""
    directory.mkdir(parents=True, exist_ok=True)
    new = blobs(write_tree(RESULTS)).items() - blobs(last_seen()).items()
    for path, _ in new:
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(RESULTS / path, directory / path)
    return f"{len(new)} new files are in {directory}"


def add_new() -> str:
    with tempfile.TemporaryDirectory(prefix="jitkernels-results-") as directory:
        leave(Path(directory))
        return add(Path(directory))


def add(directory: Path) -> str:
    """Add a directory's files to the branch as a new commit. Return a message on the outcome."""
    new = list(files(directory))
    machines = ", ".join(sorted({Path(path).parts[0] for path in new}))
    for _ in range(TRIES):
        tip = fetch()
        tree, has_more = united_tree(directory, tip)
        if not new or (tip and tree == _git("rev-parse", f"{tip}^{{tree}}").strip()):
            return f"the branch {BRANCH} has all of it"
        commit = _git("commit-tree", tree, *(["-p", tip] if tip else []), "-m", f"Add results of {machines}").strip()
        try:
            _git("push", "--quiet", "origin", f"{commit}:refs/heads/{BRANCH}")
        except OSError:  # git refuses it if others pushed first
            if fetch() == tip:
                raise
        else:
            if not has_more:
                _git("update-ref", TAKEN, commit)
            return f"{len(new)} files are on the branch {BRANCH} now"
    raise OSError(f"others pushed to {BRANCH} each time: try again")


def united_tree(directory: Path, tip: str | None) -> tuple[str, bool]:
    """Write a tree of a commit's files and the directory's. Return its hash, and True if files of it have more than the
    directory's, because others changed them meanwhile."""
    before, theirs, ours = blobs(last_seen()), blobs(tip), blobs(write_tree(directory))
    both = {path: theirs[path] for path in ours.keys() & theirs.keys() if theirs[path] not in (ours[path], before.get(path))}
    with tempfile.TemporaryDirectory(prefix="jitkernels-results-") as temporary:
        unite(directory, both, Path(temporary))
        return write_tree(Path(temporary), write_tree(directory, tip)), bool(both)


def unite(directory: Path, theirs: Mapping[str, str], target: Path) -> None:
    """Write files of the directory into target, each merged with another version. theirs: blobs by path."""
    for path, blob in theirs.items():
        text = merged(path, _git("cat-file", "blob", blob), (directory / path).read_text(encoding="utf-8"))
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        write(target / path, text.encode())


def files(directory: Path) -> Iterator[str]:
    """Yield the paths of results, records and machines; neither links nor hidden files."""
    for path in sorted(directory.rglob("*")):
        inside = path.relative_to(directory)
        hidden = any(part.startswith(".") for part in inside.parts)
        of_a_machine = len(inside.parts) > 1  # a file above is asv's list of benchmarks
        if path.is_file() and not path.is_symlink() and not hidden and of_a_machine and path.suffix in SUFFIXES:
            yield inside.as_posix()


def fetch() -> str | None:
    """Fetch the branch from origin and return its newest commit; None if there is no such branch."""
    if not _git("ls-remote", "origin", f"refs/heads/{BRANCH}"):
        return None
    _git("fetch", "--quiet", "--no-tags", "origin", f"+refs/heads/{BRANCH}:{REMOTE}")
    return _git("rev-parse", REMOTE).strip()


def last_seen() -> str | None:
    """Return the branch's newest commit that this clone has seen."""
    return _git("for-each-ref", "--format=%(objectname)", TAKEN).strip() or None


def write_tree(directory: Path, commit: str | None = None) -> str:
    """Write a git tree of the directory's files, over those of a commit or tree if given, and return its hash."""
    with index(commit, directory) as variables:
        _git("update-index", "--add", "-z", "--stdin", input="\0".join(files(directory)), variables=variables)
        return _git("write-tree", variables=variables).strip()


@contextmanager
def index(commit: str | None, directory: Path) -> Iterator[dict[str, str]]:
    """Create a git index with a commit's files, and yield the variables that make git use it for the directory."""
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="jitkernels-results-") as temporary:
        variables = {"GIT_INDEX_FILE": str(Path(temporary, "index")), "GIT_WORK_TREE": str(directory.resolve())}
        _git("read-tree", commit or "--empty", variables=variables)
        yield variables


def blobs(tree: str | None) -> dict[str, str]:
    """Return the hashes of the files of a tree or commit, by path."""
    entries = _git("ls-tree", "-r", "-z", tree).split("\0") if tree else []
    return {path: line.split()[2] for line, _, path in (entry.partition("\t") for entry in entries if entry)}


def _git(*arguments: str, input: str = "", variables: Mapping[str, str] | None = None) -> str:
    """Return the output of a git command. Raises OSError with its last line if it fails."""
    environment = {**os.environ, **(variables or {})}
    answer = subprocess.run(["git", *OPTIONS, *arguments], input=input, env=environment, capture_output=True, text=True)
    if answer.returncode:
        lines = answer.stderr.strip().splitlines() or [f"exit status {answer.returncode}"]
        raise OSError(f"git {arguments[0]}: {lines[-1]}")
    return answer.stdout


if __name__ == "__main__":
    sys.exit(main())
