"""The copy of stored results that asv publishes: history/store/clean.py."""

from history.store.clean import LEFT_OUT, LIST_FORMAT, copy, left_out
from history.store.results import BENCHMARKS, MACHINE

__all__ = ["BENCHMARKS", "LEFT_OUT", "LIST_FORMAT", "MACHINE", "copy", "left_out"]
