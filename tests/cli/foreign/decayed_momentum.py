"""Mini-batch SGD with momentum and step decay on a linear regression."""

import numpy as np


def make_data(n=240, d=5, noise=0.3, seed=7):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * np.linspace(0.4, 1.6, d)
    coef = np.array([2.0, -1.5, 0.0, 0.7, 3.0])[:d]
    y = X @ coef + 0.5 + noise * rng.normal(size=n)
    return np.column_stack([X, np.ones(n)]), y


def step_decay(lr, epoch, rate=0.85):
    """The base learning rate after `epoch` whole epochs."""
    return lr * rate**epoch


def sgd(lr=0.02, momentum=0.8, batch=24, epochs=12, seed=0):
    X, y = make_data()
    rng = np.random.default_rng(seed)
    w = np.zeros(X.shape[1])
    velocity = np.zeros_like(w)

    for epoch in range(epochs):
        eta = step_decay(lr, epoch)
        order = rng.permutation(len(X))

        for start in range(0, len(X), batch):
            rows = order[start : start + batch]
            error = X[rows] @ w - y[rows]
            grad = 2 * X[rows].T @ error / len(rows)

            velocity = momentum * velocity - eta * grad
            w = w + velocity

            loss = np.mean((X @ w - y) ** 2)
            yield {
                "epoch": epoch,
                "batch_loss": float(np.mean(error**2)),
                "grad": grad,
                "velocity": velocity,
                "w": w,
                "loss": float(loss),
            }
