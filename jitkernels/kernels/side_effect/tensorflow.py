"""side_effect in TensorFlow."""

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


static = run  # a Python number is a constant of the graph
