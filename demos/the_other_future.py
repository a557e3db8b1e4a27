"""A fork: the same gradient descent from step 20 on, once with a step that is too long.

python demos/the_other_future.py
"""

from algorithms import Timeline, datasets, find

descent = find("stochastic_gradient")
data = datasets.load("prostate", scale=True)

first = Timeline(descent, data, {"batch": data.n, "eta": 0.2, "epochs": 40}).run()
other = first.fork(20, eta=1.4).run()
loss = [curve.name for curve in descent.curves].index("training loss")

print(f"{'step':>4} {'eta 0.2':>10} {'eta 1.4':>10}")
for t in range(16, 41, 2):
    values = [run.values(run.at(t))[loss] if t <= run.last else float("nan") for run in (first, other)]
    print(f"{t:4} {values[0]:10.4f} {values[1]:10.4g}{'   <- they part here' if t == other.begin else ''}")
