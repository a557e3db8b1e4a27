"""Kernels: inner products of features that need not be written down."""
