"""Softmax regression by full-batch gradient descent, on any labelled data.

Run with labelled rows, as: python -m algorithms run softmax_by_axis.py --data iris
"""

from typing import NamedTuple

import numpy as np


class Step(NamedTuple):
    t: int
    probs: np.ndarray
    accuracy: float
    grad: np.ndarray
    W: np.ndarray
    b: np.ndarray
    loss: float


def softmax(scores):
    scores = scores - scores.max(axis=1, keepdims=True)
    e = np.exp(scores)
    return e / e.sum(axis=1, keepdims=True)


def softmax_regression(X, y, eta=0.5, l2=1e-3, steps=120):
    X = np.asarray(X, dtype=float)
    X = (X - X.mean(axis=0)) / (X.std(axis=0) + 1e-12)
    classes, target = np.unique(y, return_inverse=True)
    onehot = np.eye(len(classes))[target]
    n, d = X.shape
    W = np.zeros((d, len(classes)))
    b = np.zeros(len(classes))

    for t in range(steps):
        probs = softmax(X @ W + b)
        picked = probs[np.arange(n), target]
        loss = -np.log(picked + 1e-12).mean() + 0.5 * l2 * np.sum(W**2)
        accuracy = np.mean(probs.argmax(axis=1) == target)

        delta = (probs - onehot) / n
        grad = X.T @ delta + l2 * W
        W = W - eta * grad
        b = b - eta * delta.sum(axis=0)
        yield Step(t, probs, float(accuracy), grad, W, b, float(loss))
