"""side_effect in Numba."""

compiler_options = {"numba_parallel": {"parallel": False}}  # one number: nothing to split, and Numba would warn
held = []  # what ``appends`` leaves behind


def run(num):
    return num * num


def prints(num):
    print("Received:", num)
    return num * num


def appends(num):
    squared = num * num
    held.append(squared)
    return squared
