"""What is said of the charts of a compiler's releases."""

from jitkernels.charts.described import HIGH, LOW, NAME, NARROW, SAMPLES, SETTLED, SIZE, Chart, Field

RELEASE = Field("release", "release", "text")
PUBLISHED = Field("published", "published", "text")
SECONDS = Field("seconds", "seconds", "seconds")
ABSENT = Field("absent", "not measured", "text")
PLACES = tuple(Field(name, name, shown=False) for name in ("order", "label"))
SIDE = 320  # pixels: of one of two views side by side
LADDER_WANTED = "several releases of a compiler"

LADDER = (
    Chart(
        "releases",
        "Seconds by release",
        "One view for each size and life of the call, each with its own logarithmic scale. Bars reach from the lower to the "
        "upper quartile; a ring is a step, and the largest have their factor beside them. A cross at the foot is a release "
        "without a number: point at it for the reason.",
        (RELEASE, PUBLISHED, NAME, Field("panel", "what", "text"), SECONDS, LOW, HIGH, SAMPLES, Field("step", "step, times"),
         SETTLED, ABSENT, *PLACES),
        LADDER_WANTED,
    ),
    Chart(
        "release_factors",
        "Each kernel, relative to the newest release",
        "Seconds of the warm call, at the largest size, over those with the newest release that has a number. Above the "
        "line at 1 a release was slower than the newest is. What changed most comes first.",
        (Field("kernel", "kernel", "text"), RELEASE, PUBLISHED, NAME, SIZE, Field("times", "times the newest"),
         Field("low", "at least"), Field("high", "at most"), SECONDS, Field("newest", "newest", "text"), ABSENT, *PLACES),
        LADDER_WANTED,
        width=NARROW,
        across=3,
    ),
    Chart(
        "release_stages",
        "Where a compilation's time goes, by release",
        "Seconds of each stage of one cold compilation, by the compiler's own names, stacked; \"other\" is what is in none.",
        (RELEASE, PUBLISHED, NAME, SIZE, Field("stage", "stage", "text"), SECONDS, ABSENT, Field("height", "", shown=False),
         *PLACES),
        "the stages of compilations by several releases",
        named=True,
    ),
    Chart(
        "release_counts",
        "What compilers made, by release",
        "Exact counts of what each release made: the same on every run of it. Those that changed most often come first; "
        "the scales need not begin at 0.",
        (Field("count", "count", "text"), RELEASE, PUBLISHED, NAME, Field("value", "value"), Field("moved", "changes"),
         ABSENT, *PLACES),
        "the counts of several releases",
        width=NARROW,
        across=3,
    ),
    Chart(
        "release_errors",
        "Error by release",
        "The error of the answer, on a logarithmic scale; at the foot, hollow, is an error of 0. Seeds are fixed, so it "
        "moves only when the stream of random numbers or the arithmetic does.",
        (RELEASE, PUBLISHED, NAME, SIZE, Field("value", "error"), Field("z", "in standard errors"), Field("hits", "hits"),
         ABSENT, *PLACES),
        "the accuracy of several releases",
    ),
    Chart(
        "beside",
        "The same call by release and by commit",
        "On one logarithmic scale, which need not begin at 0: what the compiler's releases changed, and what commits of "
        "this library did, each measured with the release that was pinned then.",
        (Field("side", "along", "text"), Field("label", "release or commit", "text"), NAME, SIZE, SECONDS, LOW, HIGH,
         Field("order", "order", shown=False)),
        LADDER_WANTED,
        width=SIDE,
        across=2,
    ),
    Chart(
        "drift",
        "How far the machine itself moved",
        "Seconds over their median: of the reference release, which was measured again and again, and of the C kernel, "
        "which was measured beside each release and which no release changes. What moves here is the machine.",
        (Field("side", "along", "text"), Field("name", "of", "text"), Field("what", "what", "text"),
         Field("label", "turn or release", "text"), Field("ratio", "over the median"), Field("order", "order", shown=False)),
        "a reference that was measured again and again",
        width=SIDE,
        across=2,
        named=True,
    ),
)  # fmt: skip
"""In the order in which the page shows them."""
