"""A Dask cluster: of a given scheduler, or in processes of this machine. Dask is imported at the first use."""

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

CONNECT_SECONDS = 10.0  # to wait for the scheduler, and then for its first worker
LOOPBACK = "127.0.0.1"
QUIET = {
    "distributed.nanny.pre-spawn-environ": {},  # by default it sets OMP_NUM_THREADS=1 and others, in this process too
    "distributed.worker.profile.enabled": False,  # by default it samples a worker's threads every 10 ms
}


def dask() -> Any:
    """Return Dask's ``distributed``. Raises ValueError if it is not installed."""
    try:
        return importlib.import_module("distributed")
    except ModuleNotFoundError as error:
        raise ValueError(f"{error.name} is not installed: pip install 'jitkernels[numba,fleet]'") from error


@contextlib.contextmanager
def client(address: str | None, **local: Any) -> Iterator[Any]:
    """Yield a client of the scheduler at ``address``; without an address, of ``local_cluster(**local)``.

    Raises ValueError if the scheduler or workers do not answer, or if an unencrypted connection would leave this machine.
    """
    distributed = dask()
    if address and not (address.startswith("tls://") or _is_here(address)):
        raise ValueError(f"{address} would carry functions and results unencrypted: set up TLS there, and give tls://...")
    with contextlib.ExitStack() as stack:
        stack.callback(logging.disable, logging.NOTSET)
        logging.disable(logging.CRITICAL)  # Dask logs lost connections; here one line reports them
        address = address or stack.enter_context(local_cluster(**local)).scheduler_address
        try:
            with ThreadPoolExecutor(1) as thread:  # the caller's thread may already run an event loop, as in a notebook
                thread.submit(asyncio.run, _reach(distributed, address)).result()
            connected = stack.enter_context(distributed.Client(address, timeout=CONNECT_SECONDS))
            connected.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except TypeError as error:  # from Dask: the connection must be encrypted, but there are no certificates
            raise ValueError(
                f"{address} needs certificates: distributed.comm.tls in Dask's configuration names them"
            ) from error
        except (OSError, ValueError) as error:
            raise ValueError(f"no scheduler with workers answers at {address} within {CONNECT_SECONDS:g} seconds") from error
        yield connected


def _is_here(address: str) -> bool:
    """True if the address is a loopback address, or inside this process."""
    try:
        host = urlsplit(address if "://" in address else f"tcp://{address}").hostname or ""
        return address.startswith("inproc://") or host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


async def _reach(distributed: Any, address: str) -> None:
    """Connect once as a test. A Client that fails to connect is closed by the garbage collector, which may block."""
    connection = distributed.Security().get_connection_args("client")
    await (await distributed.comm.connect(address, timeout=CONNECT_SECONDS, **connection)).close()


def local_cluster(workers: int, variables: Mapping[str, str], resources: Mapping[str, int] | None = None) -> Any:
    """Return a cluster in processes of this machine: on loopback, without a dashboard, one task at a time a worker.

    variables: set for the workers, not for this process. The workers ignore Ctrl-C; this process handles it.
    """
    options: dict[str, Any] = {
        "host": LOOPBACK,
        "dashboard_address": None,
        "scheduler_kwargs": {"dashboard": False, "dashboard_address": f"{LOOPBACK}:0"},  # not 8787, which may be in use
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
