"""A program, a version of it with a wrong sign, and another program."""

RIGHT = """def adam(X):
    w = X.mean(axis=0)
    v = 0 * w
    for t in range(5):
        v = 0.9 * v + 0.1 * w**2
        w = 0.5 * w
        yield {"w": w, "v": v}
"""
WRONG = RIGHT.replace("+ 0.1", "- 0.1").replace('"v": v', '"v_": v')
OTHER = "def newton(X):\n    w = X[0]\n    for t in range(5):\n        w = w / 2 - 1\n        yield {'w': w}\n"
