"""side_effect in PyTorch."""

held = []  # what ``appends`` leaves behind


def run(num):
    return num**2


def prints(num):
    print("Received:", num)
    return num**2


def appends(num):
    squared = num**2
    held.append(squared)  # Dynamo appends after its program and guards the list's length: the next call compiles again
    return squared


def static(num: float):
    return num**2
