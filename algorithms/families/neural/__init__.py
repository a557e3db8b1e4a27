"""Neural networks: layers of units whose weights are learned by following the gradient."""
