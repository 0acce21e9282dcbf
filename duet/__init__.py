"""Measure two sides in turn, so that a disturbance of the machine hits both.

A **duet** measures two sides in pairs of processes, which take turns on one core every few milliseconds. Each pair gives one
ratio (Bulej et al., "Duet benchmarking", ICPE 2020). A **side** is a Python, a library and a suite. Two commits
over one environment are a duet, and so is one commit over two environments.
"""

from duet.cases import BenchmarkCase, Launch
from duet.process import discover
from duet.rounds import Duet, measure
from duet.samples import Pairs, Samples
from duet.sides import Side, SideError
from duet.statistics import compare

__all__ = ["BenchmarkCase", "Duet", "Launch", "Pairs", "Samples", "Side", "SideError", "compare", "discover", "measure"]
