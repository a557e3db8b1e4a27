"""SVRG: stochastic gradients with the variance taken out, logistic regression."""

import numpy as np


class SVRG:
    def __init__(self, eta=0.6, epochs=6, inner=40, l2=1e-2, seed=3):
        self.eta, self.epochs, self.inner, self.l2 = eta, epochs, inner, l2
        self.rng = np.random.default_rng(seed)
        n, d = 120, 4
        self.X = self.rng.normal(size=(n, d))
        truth = np.array([1.5, -2.0, 0.5, 0.0])
        p = 1 / (1 + np.exp(-self.X @ truth))
        self.y = np.where(self.rng.random(n) < p, 1.0, -1.0)
        self.w = np.zeros(d)
        self.anchor = np.zeros(d)
        self.mu = self.full_gradient(self.anchor)

    def loss(self, w):
        margins = self.y * (self.X @ w)
        return np.logaddexp(0, -margins).mean() + 0.5 * self.l2 * w @ w

    def gradient(self, w, i):
        margin = self.y[i] * (self.X[i] @ w)
        return -self.y[i] * self.X[i] / (1 + np.exp(margin)) + self.l2 * w

    def full_gradient(self, w):
        margins = self.y * (self.X @ w)
        return -(self.y / (1 + np.exp(margins))) @ self.X / len(self.y) + self.l2 * w

    def reanchor(self):
        self.anchor = self.w.copy()
        self.mu = self.full_gradient(self.anchor)

    def __iter__(self):
        for epoch in range(self.epochs):
            for _ in range(self.inner):
                i = int(self.rng.integers(len(self.y)))
                correction = self.gradient(self.anchor, i) - self.mu
                direction = self.gradient(self.w, i) - correction
                self.w -= self.eta * direction
                drift = np.linalg.norm(self.full_gradient(self.w) - self.mu)
                yield epoch, i, correction, direction, self.w.copy(), drift, self.loss(self.w)
            self.reanchor()
