"""The data sets that have a name: what each is, where it comes from, and what of it is used unasked."""

from msgspec import Struct

from algorithms.core.dataset import Kind
from algorithms.core.parameters import Parameter
from algorithms.data.made import GENERATORS, arguments


class About(Struct, frozen=True):
    """A data set for a person to choose.

    Attributes:
        title: what it is called in full.
        description: one line: rows, features, what the target is.
        citation: who to thank; for made data, how it is made.
        target: the target it has unless another is asked for, "" for none.
        kind: what that target is: "class", "number" or "none".
        positive: the class held against the other, "" where there is none.
        columns: the features it has unless others are asked for; () for every column of numbers.
        image: (height, width) when a row is a picture.
        arguments: for made data, what its generator takes.
        made: whether it is generated, with a known truth.
        test_rows: how many of the last rows are there to be predicted: held out unless a share of the rows is.
    """

    title: str
    description: str
    citation: str
    target: str = ""
    kind: Kind = "none"
    positive: str = ""
    columns: tuple[str, ...] = ()
    image: tuple[int, int] | None = None
    arguments: tuple[Parameter, ...] = ()
    made: bool = False
    test_rows: int = 0


_OF_NAMES = ("letters", "vowels", "first_is_vowel", "second_is_vowel", "third_is_vowel", "fourth_is_vowel")

REAL = {
    "iris": About(
        "Irises",
        "150 flowers of 3 species, 4 lengths and widths in cm",
        "Fisher (1936), Annals of Eugenics 7",
        target="species",
        kind="class",
    ),
    "faithful": About(
        "Old Faithful",
        "272 eruptions of the geyser: how long, and the wait for the next, in minutes",
        "Azzalini and Bowman (1990), Applied Statistics 39",
    ),
    "penguins": About(
        "Palmer penguins",
        "344 penguins of 3 species, 4 measurements; 2 have cells missing",
        "Gorman, Williams and Fraser (2014), PLoS ONE 9(3)",
        target="species",
        kind="class",
        columns=("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"),
    ),
    "digits": About(
        "Handwritten digits",
        "500 digits as pictures of 8 by 8 pixels from 0 to 16, 50 of each",
        "Alpaydin and Kaynak (1998), UCI Machine Learning Repository",
        target="digit",
        kind="class",
        image=(8, 8),
    ),
    "breast_cancer": About(
        "Breast cancer, Wisconsin",
        "569 tumours, malignant or benign, 30 measurements of their cells' nuclei",
        "Wolberg, Street and Mangasarian (1995), UCI Machine Learning Repository",
        target="diagnosis",
        kind="class",
        positive="malignant",
    ),
    "wine": About(
        "Wine",
        "178 wines of 3 cultivars, 13 chemical measurements",
        "Aeberhard and Forina (1991), UCI Machine Learning Repository",
        target="cultivar",
        kind="class",
    ),
    "diabetes": About(
        "Diabetes",
        "442 patients, 10 measurements; the target is the disease's progression after a year",
        "Efron, Hastie, Johnstone and Tibshirani (2004), Annals of Statistics 32",
        target="progression",
        kind="number",
    ),
    "prostate": About(
        "Prostate cancer",
        "97 patients, 8 measurements; the target is the logarithm of an antigen's level",
        "Stamey et al. (1989), Journal of Urology 141",
        target="lpsa",
        kind="number",
    ),
    "davis": About(
        "Heights and weights",
        "200 women and men, weight in kg and height in cm; row 11 has the two swapped",
        "Davis (1990), Appetite 15",
        target="sex",
        kind="class",
    ),
    "badges": About(
        "The Badges game",
        "36 people with + or - on their badges, and counts of the letters of their names; what decides the sign?",
        "International Conference on Machine Learning, 1994",
        target="badge",
        kind="class",
        positive="+",
        columns=_OF_NAMES,
    ),
    "badges_raw": About(
        "The Badges game with its raw test data",
        "46 people: 36 with + or - on their badges, and 10 to be told; what decides the sign?",
        "International Conference on Machine Learning, 1994",
        target="badge",
        kind="class",
        positive="+",
        columns=_OF_NAMES,
        test_rows=10,
    ),
    "iris_ratios": About(
        "Irises by their ratios",
        "150 flowers of 3 species, length over width of sepals and of petals",
        "Fisher (1936), Annals of Eugenics 7",
        target="species",
        kind="class",
    ),
}

_MADE = {
    "blobs": ("Blobs", "round clouds, one a class; with margin, two that can be separated by exactly so much"),
    "rings": ("Rings", "two noisy circles, one inside the other"),
    "moons": ("Moons", "two noisy half circles that reach into each other"),
    "line": ("Line", "a straight line with noise: y = slope x + intercept"),
    "sine": ("Sine", "a sine with noise: y = sin(π waves x)"),
    "sparse": ("Sparse", "y = 1 + w·x with noise, most of w is 0, the features are alike"),
    "mixture": ("Mixture", "a mixture of Gaussians, each with its own weight, mean and covariance"),
    "coin": ("Coin", "tosses of a coin in the order they came, heads with chance p"),
    "gaussian": ("Gaussian", "numbers drawn from one Gaussian, of known mean and deviation"),
    "four_points": ("Four points", "on a line through the origin: one direction and four coefficients say it all"),
    "square": ("Square", "four corners, the class by the side: rows on the margin that need not carry it"),
    "leverage": ("Leverage", "two classes at ±1, and a row of each far out on the other's side"),
    "decoys": ("Decoys", "exclusive or of two bits beside two that look better to whoever asks one question at a time"),
    "three_points": ("Three points", "no hyperplane through the origin separates them strictly; one with a bias does"),
    "xor": ("Exclusive or", "four clouds about (±1, ±1); the class is whether the signs differ"),
    "circle": ("Circle", "rows on a circle, and others in it; its centre and radius are known"),
    "conjunction": ("Conjunction", "features of 0 and 1, and a class that is true where x1 and x3 are"),
    "tilt": ("Tilt", "two classes on grids side by side, then a cluster of one of them far on its right side"),
    "collinear": ("Classes in a row", "round clouds, one a class, whose means lie on a line"),
    "three_rows": ("Three rows", "y against x; the columns 1 and x span a plane in R³, and y stands off it"),
    "rectangle": ("Rectangle", "four corners: two pairs far apart, in which k-means may be stuck with two lines"),
    "dependent": ("Dependent features", "a column is the sum of two others, so that many weights fit alike"),
    "correlated": ("Correlated features", "features that go together, and a sum of them with noise"),
    "emails": ("Emails", "words that are there or not, each for itself given whether it is spam; chances are known"),
    "joint": ("A joint table", "three words that depend on each other, drawn from a whole table a class"),
    "cloud": ("Flat cloud", "a Gaussian cloud that lies flat in a space of more dimensions"),
}
_TARGETS: dict[str, tuple[str, Kind]] = {
    "line": ("y", "number"),
    "sine": ("y", "number"),
    "sparse": ("y", "number"),
    "three_rows": ("y", "number"),
    "dependent": ("y", "number"),
    "correlated": ("y", "number"),
    "mixture": ("component", "class"),
    "cloud": ("", "none"),
    "gaussian": ("", "none"),
    "rectangle": ("", "none"),
    "four_points": ("", "none"),
    "coin": ("face", "class"),
    "emails": ("label", "class"),
}
_CLASS: tuple[str, Kind] = ("class", "class")

MADE = {
    name: About(
        *_MADE[name],
        citation="made from a seed, so that its truth is known",
        target=_TARGETS.get(name, _CLASS)[0],
        kind=_TARGETS.get(name, _CLASS)[1],
        arguments=arguments(name),
        made=True,
    )
    for name in GENERATORS
}

NAMED = REAL | MADE
