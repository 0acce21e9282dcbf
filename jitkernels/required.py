"""Where skipping is failing: the one place that reads ``JITKERNELS_REQUIRE``.

The variable lists dialects, backends or other things that a run cannot do without ("numba,jax,browser"). Continuous
integration sets it, so that green means run.
"""

import os

VARIABLE = "JITKERNELS_REQUIRE"


def is_required(*names: str) -> bool:
    """Whether the variable lists one of ``names``."""
    listed = {name.strip() for name in os.environ.get(VARIABLE, "").split(",")}
    return not listed.isdisjoint(names)
