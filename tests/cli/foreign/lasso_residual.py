"""The lasso by cyclic coordinate descent, with the residual kept up to date."""

from dataclasses import dataclass

import numpy as np


@dataclass
class State:
    sweep: int
    j: int
    rho: float
    beta: np.ndarray
    nonzero: int
    rss: float
    objective: float


def soft(value, threshold):
    return np.sign(value) * max(abs(value) - threshold, 0.0)


def make_data(n=80, d=8, seed=5):
    rng = np.random.default_rng(seed)
    common = rng.normal(size=(n, 1))
    X = 0.7 * common + rng.normal(size=(n, d))
    X -= X.mean(axis=0)
    truth = np.zeros(d)
    truth[[2, 4, 7]] = [1.0, 2.0, 3.0]
    y = X @ truth + 0.5 * rng.normal(size=n)
    return X, y - y.mean()


def lasso(lam=0.15, sweeps=20):
    X, y = make_data()
    n, d = X.shape
    scale = (X**2).sum(axis=0) / n
    beta = np.zeros(d)
    residual = y.copy()

    for sweep in range(sweeps):
        for j in range(d):
            old = beta[j]
            rho = X[:, j] @ residual / n + scale[j] * old
            new = soft(rho, lam) / scale[j]
            if new != old:
                residual -= X[:, j] * (new - old)
                beta[j] = new

            rss = residual @ residual
            objective = rss / (2 * n) + lam * np.abs(beta).sum()
            yield State(sweep, j, rho, beta.copy(), np.count_nonzero(beta), rss, objective)
