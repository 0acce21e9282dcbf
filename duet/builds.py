"""Make a side of a commit: its files, its library built and installed, and the environment that asv makes for the suite.

asv reinstalls the library whenever it changes to another commit. Here each commit's library, which is plain Python, has a
directory of its own that precedes asv's environment on the import path. So changing sides takes no time, and all commits
use the same compilers.
"""

import contextlib
import io
import os
import subprocess
import tarfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from build import BuildBackendException, BuildException, ProjectBuilder

from duet.git import git
from duet.sides import Side, SideError

MEASURED = ("jitkernels/", "benchmarks/")
"""Directories of a commit that are measured, besides the files at its root, which say how it is built."""
LONGEST_BUILD = 600.0  # seconds of a step; those of this library take a few


def unpack(repository: Path, commit: str, directory: Path, pattern: str = ".") -> None:
    """Write the files of a commit whose path matches git's pattern into the directory, without a checkout. Raises SideError
    if git's archive would not be the commit in what is measured."""
    if reason := _other_archive(repository, commit):
        raise SideError(f"{commit[:8]} cannot be unpacked as it is: {reason}")
    archive = subprocess.run(["git", "archive", commit, "--", pattern], cwd=repository, capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        try:
            files.extractall(directory, filter="data")
        except tarfile.FilterError as error:  # a link out of the tree, where nothing is measured
            raise SideError(f"{commit[:8]} cannot be unpacked: {error}") from error


def _other_archive(repository: Path, commit: str) -> str:
    """Return why git's archive may differ from the commit in what is measured: git leaves a submodule out, an attribute may
    leave out or change a file, and the target of a symbolic link can change. "": it is the commit."""
    for line in git(repository, "ls-tree", "-r", "-z", commit).split("\0"):
        entry, _, file = line.partition("\t")
        if entry.startswith(("160000", "120000")) and (file.startswith(MEASURED) or "/" not in file):
            return f"{file} is a submodule or a symbolic link"
    places = [f":(glob){directory}.gitattributes" for directory in ("", *(f"{each}**/" for each in MEASURED))]
    attributes = ["-alE", "export-(ignore|subst)", commit, "--", *places]
    answer = subprocess.run(["git", "grep", *attributes], cwd=repository, capture_output=True)
    without_a_hit = answer.returncode == 1
    return "" if without_a_hit else "attributes change its archive (export-ignore, export-subst)"


def install(python: str, source: Path, library: Path, log: Path) -> None:
    """Build ``source`` with its own build back end and unpack the wheel into the directory ``library``, without its
    dependencies. Raises SideError.

    Unpacking a wheel of plain Python installs it. pip would take three times as long.
    """
    try:
        builder = ProjectBuilder(source, python, runner=_run)
        wheel = builder.build("wheel", library.with_name(f"{library.name}.wheels"))
    except (BuildException, BuildBackendException) as error:
        reason = _output(error) or str(error)
        with log.open("a") as output:
            output.write(f"{reason}\n")
        raise SideError(f"{source.name} cannot be built: {reason.splitlines()[-1]}; {log} says more") from error
    with zipfile.ZipFile(wheel) as files:
        files.extractall(library)
    compile_all = [python, "-m", "compileall", "-q", str(library)]  # otherwise the first process of a pair would do it
    subprocess.run(compile_all, stdout=subprocess.DEVNULL)  # a file that cannot be compiled fails when it is imported


def _run(cmd: Sequence[str], cwd: str | None = None, extra_environ: Mapping[str, str] | None = None) -> None:
    """Run a step of a build quietly, with a limit of time."""
    environment = {**os.environ, **(extra_environ or {})}
    subprocess.check_output(cmd, cwd=cwd, env=environment, stderr=subprocess.STDOUT, timeout=LONGEST_BUILD)


def side(name: str, repository: Path, commit: str, directory: Path, python: str, suite: Path | None = None) -> Side:
    """Return the side of a commit, built below ``directory``. suite: None for the commit's own. Raises SideError."""
    source, library = directory / name, directory / f"{name}.library"
    source.mkdir()
    unpack(repository, commit, source)
    install(python, source, library, directory / "log.txt")
    return Side(name, python, library, suite or source / "benchmarks")


def asv_environment(
    repository: Path, log: Path, requirements: Mapping[str, str] | None = None
) -> tuple[str, dict[str, str]]:
    """Make asv's environment for asv.conf.json if it is missing. Return its Python and its requirements.

    requirements: instead of those in the file. Raises SideError.
    """
    from asv import environment  # here: asv takes a second
    from asv.config import Config

    with log.open("a") as output, contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            with contextlib.chdir(repository):
                conf = Config.load("asv.conf.json")
                if requirements:
                    rulers = {name: pins for name, pins in conf.matrix["req"].items() if name.startswith("pip+")}
                    conf.matrix = {"req": rulers | {name: [version] for name, version in requirements.items()}}
                environments = list(environment.get_environments(conf, None))
                if len(environments) == 1:
                    environments[0].create()
                    return environments[0].find_executable("python"), dict(sorted(environments[0].requirements.items()))
        except Exception as error:
            line = (str(error) or type(error).__name__).splitlines()[0]
            raise SideError(f"asv's environment could not be made: {line}; {log} says more") from error
    raise SideError(f"asv.conf.json makes {len(environments)} environments here; one is needed")


def _output(error: BuildException | BuildBackendException) -> str:
    """Return what the build back end wrote; "" if it did not start."""
    output: bytes = getattr(getattr(error, "exception", None), "output", None) or b""
    return output.decode(errors="replace").strip()
