"""side_effect in NumPy."""

held = []  # what ``appends`` leaves behind


def run(num):
    return num**2


def prints(num):
    print("Received:", num)
    return num**2


def appends(num):
    squared = num**2
    held.append(squared)
    return squared
