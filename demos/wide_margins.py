"""Why wide margins resist over-fitting: leaving rows out, no more can be wrong than R²/γ², whatever the dimension.

python demos/wide_margins.py

A hard margin without bias is solved again without each row. A row that is then wrong has α‖x‖² >= 1, and all Σ α are
1/γ²: the wider the margin γ, the fewer rows can be wrong. With 20 columns of noise beside the two that matter the bound
is no larger: it knows of the margin, not of the dimension.
"""

import numpy as np

from algorithms import Dataset, Timeline, datasets, find

leave_one_out = find("leave_one_out")
bound = next(theorem for theorem in leave_one_out.theorems if "R²/γ²" in theorem.statement)

print(f"{'margin':>7} {'columns':>8} {'support vectors':>16} {'wrong':>6} {'Σ α‖x‖² of these':>17} {'R²/γ²':>7}")
for margin in (0.5, 1.0, 2.0):
    for more in (0, 20):
        blobs = datasets.load("blobs", n=60, margin=margin)
        noise = 0.3 * np.random.default_rng(0).normal(size=(blobs.n, more))
        data = Dataset(np.hstack([blobs.X, noise]), blobs.y, classes=blobs.classes, name="blobs")
        run = Timeline(leave_one_out, data, {"margin": "hard"}).run()
        state = run.at(run.last).state
        wrong, weight, most = bound.verdict(run.problem, None, state).sides.values
        supports = int((state.alpha > 0).sum())
        print(f"{margin:7g} {data.d:>8} {supports:>16} {wrong:6.0f} {weight:17.2f} {most:7.1f}")
