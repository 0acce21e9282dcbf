"""Make a side of a commit: its files, its library built and installed, and the environment that asv makes for the suite.

asv installs a commit into its environment anew whenever it turns to another one. The library is plain Python, so here each
commit has a directory of its own, which comes before the environment: turning costs nothing, and all commits have the very
same compilers.
"""

import contextlib
import io
import subprocess
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from duet.sides import Side, SideError


def unpack(repository: Path, commit: str, directory: Path) -> None:
    """Write the files of a commit into the directory, without a checkout."""
    archive = subprocess.run(["git", "archive", commit], cwd=repository, capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(directory, filter="data")


def install(python: str, source: Path, library: Path, log: Path) -> None:
    """Build ``source`` and install it into the directory ``library``, without its dependencies. Raises SideError."""
    wheels = library.with_name(f"{library.name}.wheels")
    pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    _run([*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(wheels), str(source)], log)
    _run([*pip, "install", "--no-deps", "--no-index", "--target", str(library), *map(str, wheels.glob("*.whl"))], log)


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
    """Make asv's environment for asv.conf.json if it is missing; return its Python, and what is required in it.

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


def _run(command: Sequence[str], log: Path) -> None:
    answer = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    with log.open("a") as output:
        output.write(answer.stdout)
    if answer.returncode:
        lines = [line.strip() for line in answer.stdout.splitlines() if "Error" in line or "error:" in line]
        raise SideError(f"`{' '.join(command[2:6])} ...` failed: {lines[-1] if lines else f'{log} says why'}")
