"""The benchmark: our time against scikit-learn's on the same work, and what states and the timeline cost.

`python -m tests.bench` prints ratios with the targets beside them; it is not a test and asserts nothing.
"""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"  # one thread each; before NumPy is imported
