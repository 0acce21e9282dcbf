"""side_effect in JAX."""

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


static = run  # with num a static argument
