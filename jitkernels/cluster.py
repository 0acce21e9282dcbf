"""A Dask cluster: that of a scheduler, or one in processes of this machine. Dask is imported when one is asked for."""

import asyncio
import contextlib
import importlib
import ipaddress
import logging
import signal
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

CONNECT_SECONDS = 10.0  # for a scheduler and its first worker
LOOPBACK = "127.0.0.1"
QUIET = {
    "distributed.nanny.pre-spawn-environ": {},  # would set OMP_NUM_THREADS=1 and its like, in this process too
    "distributed.worker.profile.enabled": False,  # would look at a worker's threads every 10 ms
}


def dask() -> Any:
    """Return Dask's ``distributed``. ValueError where it is not installed."""
    try:
        return importlib.import_module("distributed")
    except ModuleNotFoundError as error:
        raise ValueError(f"{error.name} is not installed: pip install 'jitkernels[fleet]'") from error


@contextlib.contextmanager
def client(address: str | None, **local: Any) -> Iterator[Any]:
    """Yield a client of the scheduler at the address; of ``local_cluster(**local)`` where there is none.

    ValueError where the scheduler or its workers do not answer, or a connection beyond this machine would not be encrypted.
    """
    distributed = dask()
    if address and not (address.startswith("tls://") or _is_here(address)):
        raise ValueError(f"{address} would carry functions and results unencrypted: give the scheduler TLS, and tls://...")
    with contextlib.ExitStack() as stack:
        stack.callback(logging.disable, logging.NOTSET)
        logging.disable(logging.CRITICAL)  # Dask's, where a connection is lost: what becomes of it is one line
        address = address or stack.enter_context(local_cluster(**local)).scheduler_address
        try:
            with ThreadPoolExecutor(1) as thread:  # this one may have a loop that runs: a notebook has
                thread.submit(asyncio.run, _reach(distributed, address)).result()
            own = stack.enter_context(distributed.Client(address, timeout=CONNECT_SECONDS))
            own.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except TypeError as error:  # Dask's, where a connection shall be encrypted and it has no certificates
            raise ValueError(
                f"{address} needs certificates: distributed.comm.tls in Dask's configuration names them"
            ) from error
        except (OSError, ValueError) as error:
            raise ValueError(f"no scheduler with workers answers at {address} within {CONNECT_SECONDS:g} seconds") from error
        yield own


def _is_here(address: str) -> bool:
    """True if the address is one of this machine's loopback, or not on a network."""
    try:
        host = urlsplit(address if "://" in address else f"tcp://{address}").hostname or ""
        return address.startswith("inproc://") or host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


async def _reach(distributed: Any, address: str) -> None:
    """Connect and leave. A client that was never connected would be closed by the garbage collector, which may block."""
    connection = distributed.Security().get_connection_args("client")
    await (await distributed.comm.connect(address, timeout=CONNECT_SECONDS, **connection)).close()


def local_cluster(workers: int, variables: Mapping[str, str], resources: Mapping[str, int] | None = None) -> Any:
    """Return a cluster in processes of this machine: on loopback alone, without a dashboard, one task at a time a worker.

    variables: of the workers' environment. Ctrl-C is left to this process, whose own environment stays as it is.
    """
    options: dict[str, Any] = {
        "host": LOOPBACK,
        "dashboard_address": None,
        "scheduler_kwargs": {"dashboard": False, "dashboard_address": f"{LOOPBACK}:0"},  # metrics: 8787 may be in use
        "silence_logs": logging.CRITICAL,
        "memory_limit": 0,
        "env": dict(variables),
        "resources": dict(resources or {}),
    }
    distributed = dask()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with importlib.import_module("dask.config").set(QUIET):
            return distributed.LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, **options)
    finally:
        signal.signal(signal.SIGINT, before)
