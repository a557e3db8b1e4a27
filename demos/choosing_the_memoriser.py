"""Why training error chooses the memoriser: the mean of the k nearest rows, fitted to 100 samples of one known truth.

python demos/choosing_the_memoriser.py

The more a fit follows its own noise, the more of its error the training rows hide: 2σ²/k on average. Nothing hides more
than k = 1, which knows every row by heart. On fresh targets of the same rows the error is bias² + variance + σ².
"""

from algorithms import Timeline, datasets, find

data = datasets.load("sine", n=40, noise=0.6)
run = Timeline(find("bias_variance"), data, {"model": "neighbours", "samples": 100, "seed": 0}).run()
last, square = run.at(run.last).state, data.truth["noise"] ** 2
training, fresh = last.training.mean(axis=1), last.fresh.mean(axis=1)

print(f"{'k':>2} {'bias²':>7} {'variance':>8} {'training':>8} {'fresh':>7} {'hidden':>7} {'2σ²/k':>7}")
for k, *row in zip(range(10, 0, -1), last.biases, last.variances, training, fresh, fresh - training):
    bias, variance, of_training, of_fresh, hidden = row
    print(f"{k:2} {bias:7.3f} {variance:8.3f} {of_training:8.3f} {of_fresh:7.3f} {hidden:7.3f} {2 * square / k:7.3f}")
print(f"training error chooses k = {10 - training.argmin()}, fresh targets k = {10 - fresh.argmin()}")
