"""The greatest eigenvalues of a symmetric matrix by Lanczos' iteration, with full re-orthogonalisation.

The basis v, Av, A²v, ... is made orthonormal vector by vector; in it A is tridiagonal, and the greatest eigenvalues
of that small matrix are soon those of A. One is off by no more than β |s|, β the length of the next basis vector
before it is made a unit vector and s the last entry of the small matrix's eigenvector.

References: Lanczos (1950), An iteration method for the solution of the eigenvalue problem, J. of Research of the
National Bureau of Standards 45; Parlett (1998), The Symmetric Eigenvalue Problem, chapter 13.
"""

import numpy as np

from algorithms.core import Array

_ENOUGH = 1e-10  # of the greatest eigenvalue: the residual that is left, and eigenvalues are nearer by far
_EVERY = 3  # basis vectors between two looks at the small matrix
_NOTHING = 1e-14  # of the greatest eigenvalue: a next basis vector this short is rounding
_ROOM = 128  # basis vectors that there is room for at first


def leading_eigenpairs(A: Array, k: int) -> tuple[Array, Array]:
    """The (k,) greatest eigenvalues of a symmetric (n, n) matrix, the greatest first, and (k, n) unit eigenvectors.

    k is at most n.
    """
    n, rng = len(A), np.random.default_rng(0)
    basis, diagonal, beside = np.empty((min(n, _ROOM), n)), [], []
    v, beta, greatest = rng.standard_normal(n), 0.0, 0.0
    for j in range(n):
        if beta <= _NOTHING * greatest:  # the basis spans all that A makes of it: begin anew across it
            v, beta = across(rng.standard_normal(n), basis[:j])[0], 0.0
        if j == len(basis):
            basis = np.concatenate([basis, np.empty_like(basis)])
        basis[j] = v / np.linalg.norm(v)
        if j:
            beside.append(beta)
        v, along = across(A @ basis[j], basis[: j + 1])
        diagonal.append(float(along[-1]))
        beta, greatest = float(np.linalg.norm(v)), max(greatest, abs(diagonal[-1]))
        if j + 1 == n or j + 1 > k and j % _EVERY == 0:
            values, vectors = np.linalg.eigh(np.diag(diagonal) + np.diag(beside, -1), UPLO="L")
            if j + 1 == n or beta * np.abs(vectors[-1, ::-1][:k]).max() <= _ENOUGH * abs(values[-1]):
                break
    return values[::-1][:k], np.asarray(vectors[:, ::-1][:, :k].T @ basis[: len(diagonal)])


def across(v: Array, basis: Array) -> tuple[Array, Array]:
    """(n,) v without its parts along (j, n) orthonormal vectors, and (j,) those; twice, for what rounding left."""
    first = basis @ v
    v = v - first @ basis
    second = basis @ v
    return v - second @ basis, first + second
