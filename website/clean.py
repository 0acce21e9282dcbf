"""The copy of stored results that asv publishes: history/store/clean.py."""

from history.store.clean import BENCHMARKS, LEFT_OUT, LIST_FORMAT, MACHINE, copy, left_out

__all__ = ["BENCHMARKS", "LEFT_OUT", "LIST_FORMAT", "MACHINE", "copy", "left_out"]
