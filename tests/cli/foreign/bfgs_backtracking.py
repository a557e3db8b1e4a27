"""BFGS with Armijo backtracking on the chained Rosenbrock function."""

import numpy as np


def rosenbrock(x):
    return np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def rosenbrock_grad(x):
    g = np.zeros_like(x)
    inner = x[1:] - x[:-1] ** 2
    g[:-1] = -400 * x[:-1] * inner - 2 * (1 - x[:-1])
    g[1:] += 200 * inner
    return g


def backtrack(x, p, fx, slope, shrink=0.5, c1=1e-4, least=1e-10):
    """The first of 1, shrink, shrink**2, ... with enough decrease, and f there."""
    t = 1.0
    f_new = rosenbrock(x + t * p)
    while f_new > fx + c1 * t * slope and t > least:
        t *= shrink
        f_new = rosenbrock(x + t * p)
    return t, f_new


def bfgs(n=6, tol=1e-7, max_steps=150):
    x = np.linspace(-1.2, 1.0, n)
    fx, g = rosenbrock(x), rosenbrock_grad(x)
    H = np.eye(n) / np.linalg.norm(g)
    step = 0

    while np.linalg.norm(g) > tol and step < max_steps:
        p = -H @ g
        slope = g @ p
        t, f_new = backtrack(x, p, fx, slope)
        s = t * p
        g_new = rosenbrock_grad(x + s)
        u = g_new - g
        curvature = u @ s
        if curvature > 1e-12:
            A = np.eye(n) - np.outer(s, u) / curvature
            H = A @ H @ A.T + np.outer(s, s) / curvature
        x, fx, g = x + s, f_new, g_new
        step += 1
        gnorm = np.linalg.norm(g)
        yield locals()
