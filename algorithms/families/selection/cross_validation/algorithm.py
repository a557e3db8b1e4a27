"""Cross-validation: fit on all folds but one, score on that one; choose what has the least error on average.

    e_k(v) = 1/|F_k| Σ (y_i - f(x_i))²  over the rows i of fold F_k,   f fitted with v to all rows outside F_k
    CV(v)  = 1/K Σ e_k(v),   v* = argmin CV(v),   and the model with v* is fitted to all rows at last

v is the degree of a polynomial, λ of ridge regression, or k of the nearest neighbours, tried from the stiffest model to
the most flexible; of two classes, y = 1 and 0, also λ of logistic regression or C of a linear support vector machine,
which predict f = 1 or 0, so that e is the share of errors. Polynomials have no products of features, and λ penalises
weights, not the intercept. K folds partition the rows; with as many as rows one is left out at a time; a hold-out is a
single fold, scored once. On the rows that were fitted the error falls all the way, and would choose the memoriser.

The penalised fits are linear, ŷ = Hy with H of the columns and λ alone. The residuals of a fold left out then follow
from the fit to all rows, r = y - Hy, without fitting again:

    y_F - f(x_F) = (I - H_FF)⁻¹ r_F,   for a fold of one row r_i/(1 - h_i).

References: Stone (1974), Cross-validatory choice and assessment of statistical predictions, J. of the Royal Statistical
Society B 36; Geisser (1975), The predictive sample reuse method, J. of the American Statistical Association 70; Allen
(1974), The relationship between variable selection and data augmentation, Technometrics 16 (one row left out); Zhang
(1993), Model selection via multifold cross validation, Annals of Statistics 21; Hoerl and Kennard (1970), Ridge
regression, Technometrics 12; Burman (1989), A comparative study of ordinary cross-validation, v-fold cross-validation
and the repeated learning-testing methods, Biometrika 76; Cox (1958), The regression analysis of binary sequences, JRSS
B 20; Cortes and Vapnik (1995), Support-vector networks, Machine Learning 20; Varma and Simon (2006), Bias in error
estimation when using cross-validation for model selection, BMC Bioinformatics 7.
"""

from collections.abc import Callable
from typing import Annotated

import numpy as np

from algorithms.core import (
    Algorithm,
    Along,
    Answer,
    Array,
    Ask,
    Curve,
    Dataset,
    DoesNotApply,
    Event,
    FromStart,
    Meta,
    Needs,
    Panel,
    Problem,
    Run,
    Scene,
    Seed,
    Sides,
    State,
    Words,
    kept,
    once,
    theorem,
)
from algorithms.core.curves import HELD_OUT
from algorithms.data import davis, diabetes, iris, prostate, sine
from algorithms.families.selection.cross_validation.folds import Split, dealt, fold_sizes
from algorithms.families.selection.cross_validation.hold_outs import HOLD_OUTS, LEAST
from algorithms.families.selection.cross_validation.pictures import (
    Errors,
    classifier_panel,
    errors_along,
    errors_table,
    held_out_panel,
    legendre_bars,
    penalised_paths,
)
from algorithms.families.selection.shared.candidates import Candidates, Linear
from algorithms.families.selection.shared.classifier_candidates import Chosen, Classifiers, any_candidates
from algorithms.families.selection.shared.value_in_hand import (
    VALUE,
    chosen_among,
    least_so_far,
    linear_models,
    name_tried,
    none_less,
    penalised,
    penalty,
    stationary,
    value_tried,
)
from algorithms.toolbox.entries import with_entry
from algorithms.toolbox.least_squares import mean_square
from algorithms.toolbox.panels.functions import Function
from algorithms.toolbox.panels.linear import weight_panels
from algorithms.toolbox.shrinkage import Spectrum, left_out, weights_along

_MOST_LEFT_OUT = 2000  # rows one of which is left out at a time
_MOST_COMPARED = 4000  # rows of which the nearest are looked for


class CrossValidationState(State, frozen=True, kw_only=True):
    fold_of: Annotated[Array, Along("n")]  # the fold of each row; -1 for one that is never held out
    left: Annotated[Array, Along("n")]  # its residual when it was held out, of the present value; NaN if not yet
    errors: Array  # (values, K) mean squared error on the fold; NaN where not scored
    training: Array  # (values, K) the same on the rows fitted on; NaN where not fitted
    w: Array  # (p,) the fit of now, the intercept first; of neighbours nothing is fitted
    choice: int = 0  # which value is tried
    fold: int = -1  # which fold is held out; K when none is
    best: int = -1  # the value with the least mean error of those scored on all folds; -1 before


def cross_validation(
    data: Dataset,
    state: CrossValidationState | None = None,
    *,
    model: Annotated[Chosen, Meta(description="what is to be chosen: a degree, λ, k, or C")] = "polynomial",
    tried: Annotated[int, Meta(ge=2, le=40, description="values: degrees from 0, λ, C, or k down to 1")] = 10,
    split: Annotated[Split, Meta(description="K folds, one row at a time, or one fold only")] = "folds",
    folds: Annotated[int, Meta(ge=2, le=100, description="K; of a hold-out one row in so many is held out")] = 5,
    least: Annotated[float, Meta(ge=1e-6, le=1, description="the least λ, tried last, or C, tried first")] = 0.01,
    most: Annotated[float, Meta(ge=1, le=1e8, description="the greatest λ, tried first, or C, tried last")] = 1e4,
    seed: Annotated[Seed, Meta(description="of how the rows are dealt to folds")] = 0,
) -> Run[CrossValidationState]:
    models, y = data.once(any_candidates, model, tried, least, most), np.asarray(data.y, float)
    if state is None:
        state = undealt(models, dealt(data.n, split, folds, seed))
        yield state
    K = state.errors.shape[1]
    while state.fold < K:
        if state.phase != "fit":
            v, fold = divmod(state.choice * K + state.fold + 1, K)
            if v == tried:
                break
            rest = state.fold_of != fold
            w = models.fit(v, rest)
            error = mean_square(y[rest] - models.predict(v, w, rest, data.X[rest]))
            training = with_entry(state.training, (v, fold), error)
            left = np.full(data.n, np.nan) if fold == 0 else state.left
            state = state.after("fit", iteration=v + 1, choice=v, fold=fold, w=w, left=left, training=training)
            yield state
        F = state.fold_of == state.fold
        left = with_entry(state.left, F, y[F] - models.predict(state.choice, state.w, ~F, data.X[F]))
        errors = with_entry(state.errors, (state.choice, state.fold), mean_square(left[F]))
        best = least_so_far(errors.mean(axis=1), state.choice, state.best)
        state = state.after("score", left=left, errors=errors, best=best)
        yield state
    if state.fold < K:
        state = state.after("refit", choice=state.best, fold=K, w=models.fit(state.best, np.ones(data.n, bool)))
        yield state
    return f"all {tried} values are scored"


def undealt(models: Candidates | Classifiers, fold_of: Array) -> CrossValidationState:
    """The first state: the rows are dealt, and nothing is fitted."""
    n, unknown = len(fold_of), np.full((len(models.values), int(fold_of.max()) + 1), np.nan)
    w = np.zeros_like(models.fit(0, np.ones(n, bool)))
    return CrossValidationState(fold_of=fold_of, left=np.full(n, np.nan), errors=unknown, training=unknown, w=w)


def adapt(before: Problem, after: Problem, state: CrossValidationState, rows: Array) -> State | FromStart:
    return state if after.data is before.data else FromStart("these errors were measured on other rows")


def size_of_targets(problem: Problem) -> float:
    return float(np.abs(np.asarray(problem.data.y)).max())


def errors_of(problem: Problem, state: CrossValidationState) -> Errors:
    models = chosen_among(problem)
    return Errors(models.letter, models.values, state.errors, state.training)


def mean_of(field: str) -> Callable[[Problem, CrossValidationState], float]:
    """The mean over the folds of an error of the value tried; NaN until all are known."""
    return lambda problem, state: float(getattr(state, field)[state.choice].mean())


def fold_error(problem: Problem, state: CrossValidationState) -> float:
    return float(state.errors[state.choice, state.fold])


def least_error(problem: Problem, state: CrossValidationState) -> float:
    return float(state.errors[state.best].mean()) if state.best >= 0 else np.nan


def held_out_error(problem: Problem, state: CrossValidationState) -> float:
    aside = problem.data.held_out
    if aside is None:
        return np.nan
    with np.errstate(over="ignore", invalid="ignore"):  # of a row far out, high powers are no numbers
        predicted = chosen_among(problem).predict(state.choice, state.w, state.fold_of != state.fold, aside.X)
        error = mean_square(np.asarray(aside.y) - predicted)
    return error if np.isfinite(error) else np.nan


def linear(problem: Problem, state: CrossValidationState) -> bool | str:
    models = chosen_among(problem)
    if isinstance(models, Classifiers):
        return "a class is predicted, which is not linear in the targets"
    return isinstance(models, Linear) or "the mean of the nearest is no penalised fit: they change with the fold"


def of_classes(problem: Problem, state: CrossValidationState) -> bool | str:
    return isinstance(chosen_among(problem), Classifiers) or "a number is predicted"


@kept
def fitted(problem: Problem, state: CrossValidationState) -> Spectrum:
    """The columns of the rows that are not held out."""
    return linear_models(problem).spectrum(state.choice, state.fold_of != state.fold)


@once
def on_all_rows(problem: Problem) -> tuple[Spectrum, ...]:
    """Those of all rows, for each value."""
    every, models = np.ones(problem.data.n, bool), linear_models(problem)
    return tuple(models.spectrum(v, every) for v in range(len(models.values)))


def certain(problem: Problem, state: CrossValidationState) -> bool | str:
    """The hypothesis that rounding lets something be said of a fit."""
    sure = (lam := penalty(problem, state)) is None or fitted(problem, state).certain(lam)
    return sure or "the columns of the rows fitted on are dependent but for rounding"


def all_scored(problem: Problem, state: CrossValidationState) -> bool | Sides:
    """Every value has an error of every fold, and that refitted has the least."""
    if state.phase != "refit" or np.isnan(state.errors).any():
        return False
    means = state.errors.mean(axis=1)
    return Sides(("mean error of the choice", float(means[state.choice])), ("the least", float(means.min())))


def validate(problem: Problem) -> str | None:
    data, p = problem.data, problem.parameters
    if p.model in ("logistic", "linear SVM") and data.kind != "class":
        return f"{p.model} tells two classes apart; {data.target} of {data.name} is a number: take another model."
    if p.split != "leave one out" and p.folds > data.n:
        return f"{p.folds} folds need as many rows; {data.name} has {data.n}."
    if p.split == "leave one out" and data.n > _MOST_LEFT_OUT:
        return f"one row is left out at a time of {_MOST_LEFT_OUT:,} at most; {data.name} has {data.n:,}: take folds."
    if p.model == "neighbours":
        if p.tried > (fitted := int((dealt(data.n, p.split, p.folds, p.seed) != 0).sum())):  # fold 0 is the largest
            return f"k = {p.tried} needs as many rows to fit on; without a fold there are {fitted}."
        if data.n > _MOST_COMPARED:
            return f"the nearest are looked for among {_MOST_COMPARED:,} rows at most; {data.name} has {data.n:,}."
    return None


def function_of(problem: Problem, state: CrossValidationState) -> Function | None:
    """The fit that a state holds, as a function of places; None before the first."""
    if state.phase == "start":
        return None
    rest = state.fold_of != state.fold
    return lambda at: chosen_among(problem).predict(state.choice, state.w, rest, at)


def scene(problem: Problem, before: CrossValidationState | None, after: CrossValidationState) -> Scene:
    errors = errors_of(problem, after)
    along = errors_along(errors, after.choice, name_tried(problem, after), problem.data, penalised(problem))
    return Scene((fit_panel(problem, after), along, *coefficients(problem, after), errors_table(errors, after.choice)))


def fit_panel(problem: Problem, state: CrossValidationState) -> Panel:
    """The fit and the rows, those held out larger."""
    held, classes = state.fold_of == state.fold, isinstance(chosen_among(problem), Classifiers)
    fold = f"large: held out, fold {state.fold + 1}" if held.any() else "all rows"
    note = "" if state.phase == "start" else f"{name_tried(problem, state)}, {fold}"
    if classes:
        return classifier_panel(problem.data, weights_of(state), held, weights_of, among=other_fold, note=note)
    earlier = lambda past: function_of(problem, past)  # noqa: E731
    return held_out_panel(problem.data, function_of(problem, state), held, earlier, other_fold, note)


def weights_of(state: CrossValidationState) -> Array | None:
    """(d + 1,) b and w of a classifier; None before the first fit."""
    return None if state.phase == "start" else state.w


def other_fold(past: CrossValidationState, now: CrossValidationState) -> bool:
    """Whether an earlier state held out another fold of the value in hand."""
    return past.phase == "score" and past.choice == now.choice and past.fold < now.fold


def coefficients(problem: Problem, state: CrossValidationState) -> tuple[Panel, ...]:
    """Of ridge those along λ, fitted to all rows; of a polynomial of one feature those of now."""
    models = chosen_among(problem)
    if isinstance(models, Classifiers):
        return weight_panels(problem.data, np.append(state.w[1:], state.w[0]), True)
    if not isinstance(models, Linear):
        return ()
    if models.letter == "λ":
        path = weights_along(on_all_rows(problem)[0], models.penalties)
        return (penalised_paths(problem.data.features, models.values, path, value_tried(problem, state)),)
    return (legendre_bars(state.w),) if problem.data.d == 1 else ()


def explain_start(problem: Problem, before: CrossValidationState | None, after: CrossValidationState) -> str:
    models, K, n = chosen_among(problem), after.errors.shape[1], problem.data.n
    tried = f"{len(models.values)} values are tried, from {models.named(0)} to {models.named(len(models.values) - 1)}."
    if K == 1:
        return f"{fold_sizes(after.fold_of)[0]} of the {n} rows are held out, once and for all. {tried}"
    return f"The {n} rows are dealt to {K} folds, each of which will be held out in its turn. {tried}"


def explain_fit(problem: Problem, before: CrossValidationState | None, after: CrossValidationState) -> str:
    rest, error = int((after.fold_of != after.fold).sum()), after.training[after.choice, after.fold]
    value = name_tried(problem, after)
    return f"With {value} it is fitted to {rest} rows, all but fold {after.fold + 1}. On them the error is {error:.4g}."


def explain_score(problem: Problem, before: CrossValidationState | None, after: CrossValidationState) -> str:
    value, best = name_tried(problem, after), after.best
    F = np.flatnonzero(after.fold_of == after.fold)
    error, trained = after.errors[after.choice, after.fold], after.training[after.choice, after.fold]
    who = f"row {F[0]}, which was" if len(F) == 1 else f"the {len(F)} rows of fold {after.fold + 1}, which were"
    measure = "share of errors" if of_classes(problem, after) is True else "mean squared error"
    errors = f"On {who} not fitted, the {measure} is {error:.4g}; on those fitted it was {trained:.4g}."
    if np.isnan(after.errors[after.choice]).any():
        return errors
    mean = f"{errors} The mean error of {value} is {after.errors[after.choice].mean():.4g}"
    if best == after.choice:
        return f"{mean}, the least so far."
    return f"{mean}, not below the {least_error(problem, after):.4g} of {chosen_among(problem).named(best)}."


def explain_refit(problem: Problem, before: CrossValidationState | None, after: CrossValidationState) -> str:
    models, trained = chosen_among(problem), int(after.training.mean(axis=1).argmin())
    chosen = f"The least mean error, {least_error(problem, after):.4g}, is that of {models.named(after.best)}"
    training = f"The training error would have chosen {models.named(trained)}."
    if trained > after.best:  # values come from the stiffest on
        training += f" Held out it is {models.named(after.best)}: over-fitting."
    return Words.of(f"{chosen}: it is fitted to all {problem.data.n} rows.", training)


LINEAR = {"the model is a penalised fit": linear}
CERTAIN = {**LINEAR, "rounding does not decide which columns depend on others": certain}
SCORED = ("score", "refit")


@theorem(
    "held out, y - f = (I - H_FF)⁻¹ r_F",
    source="Allen (1974) for one row; Zhang (1993) for folds",
    phases=("score",),
    hypotheses=CERTAIN,
    proof=(
        "were y_F what f says of F, f would fit all rows best: in F r = 0, else nothing changes",
        "so f(x_F) = (Hy')_F, where y' is y with f(x_F) in F",
        "f(x_F) = (Hy)_F - H_FF (y_F - f(x_F)), so (I - H_FF)(y_F - f(x_F)) = y_F - (Hy)_F = r_F",
        "of a fold of one row: y - f = r/(1 - h)",
    ),
)
def shortcut(problem: Problem, before: CrossValidationState | None, after: CrossValidationState) -> Answer:
    models, F = linear_models(problem), after.fold_of == after.fold
    all_rows, lam = on_all_rows(problem)[after.choice], models.penalties[after.choice]
    residuals, magnified = left_out(all_rows, models.y, lam, F)
    if not np.isfinite(magnified):
        return DoesNotApply("without the fold a direction of the columns is all but lost: I - H_FF has no inverse")
    name = "r/(1 - h)" if F.sum() == 1 else "(I - H)⁻¹r"
    # what both ways lose where columns are near to dependent; r divided by little may be larger than any target
    size = magnified * max(size_of_targets(problem), float(np.abs(residuals).max()))
    rows = [f"row {i}" for i in np.flatnonzero(F).tolist()]
    return Sides.each(("y - f", after.left[F]), (name, residuals), relation="==", size=size, entries=rows)


@theorem(
    "v* has the least mean error so far",
    source="Stone (1974)",
    phases=("score", "refit"),
    proof=("that is the rule: v* changes where a mean error is below the least before it",),
)
def least_of_all(problem: Problem, before: CrossValidationState | None, after: CrossValidationState) -> Answer:
    return none_less("CV", chosen_among(problem), errors_of(problem, after).mean, after.best)


@theorem(
    "the fit is optimal: Xᵀ(y - Xw) = λw",
    source="Hoerl and Kennard (1970)",
    phases=("fit", "refit"),
    hypotheses=LINEAR,
    proof=("half the gradient of ‖y - Xw‖² + λ‖w‖² is λw - Xᵀ(y - Xw), for the intercept without λw",),
)
def optimal(problem: Problem, before: CrossValidationState | None, after: CrossValidationState) -> Answer:
    return stationary(linear_models(problem), after.choice, after.fold_of != after.fold, after.w)


@theorem(
    "classes: Σ(y - p)x = λw; of a support vector machine W(α) = P(w, b)",
    source="Cox (1958); Cortes and Vapnik (1995)",
    phases=("fit", "refit"),
    hypotheses={"a class is predicted": of_classes},
    proof=(
        "Σ ln(1 + e^(-y f)) + ½λ‖w‖² has the slope λw - Σ(y - p)x, for b without λw",
        "no W(α) is above P(w, b) = ½‖w‖² + CΣ max(0, 1 - y f): where both meet, both are best",
    ),
)
def best_classifier(problem: Problem, before: CrossValidationState | None, after: CrossValidationState) -> Answer:
    models, rest = chosen_among(problem), after.fold_of != after.fold
    assert isinstance(models, Classifiers)
    return models.optimal(after.choice, after.w, rest)


@theorem(
    "training error never rises from v to the next v'",
    source="Hoerl and Kennard (1970)",
    phases=("fit",),
    hypotheses=CERTAIN,
    proof=(
        "polynomials: each degree contains those before it, so its best is no worse",
        "ridge, v' = λ' < λ: RSS' + λ'‖w'‖² <= RSS + λ'‖w‖² and RSS + λ‖w‖² <= RSS' + λ‖w'‖²",
        "add them: (λ - λ')(‖w‖² - ‖w'‖²) <= 0, and with the first RSS' <= RSS",
    ),
)
def nested(problem: Problem, before: CrossValidationState | None, after: CrossValidationState) -> Answer:
    models, v, fit = linear_models(problem), after.choice, fitted(problem, after)
    if v == 0:
        return None
    fits = (models.spectrum(v - 1, after.fold_of != after.fold), fit)
    size = max(one.magnifies(models.penalties[i]) for i, one in enumerate(fits, v - 1)) * size_of_targets(problem) ** 2
    now, was = after.training[v, after.fold], after.training[v - 1, after.fold]
    return Sides((f"at {models.named(v)}", now), (f"at {models.named(v - 1)}", was), size=size)


@theorem(
    "each row is held out once: Σ |F_k| e_k = Σ (y - f)²",
    source="Geisser (1975)",
    phases=("score",),
    proof=(
        "a row has one fold, and each fold has its turn: Σ |F_k| is how many rows were held out",
        "|F_k| e_k is the sum of (y - f)² over the rows of fold F_k",
    ),
)
def held_out_once(problem: Problem, before: CrossValidationState | None, after: CrossValidationState) -> Answer:
    sizes, known = fold_sizes(after.fold_of)[: after.fold + 1], after.left[~np.isnan(after.left)]
    by_folds = np.array([sizes.sum(), sizes @ after.errors[after.choice, : after.fold + 1]])
    sides = ("by folds", by_folds), ("by rows", np.array([len(known), known @ known]))
    return Sides.each(*sides, relation="==", entries=("rows held out", "Σ (y - f)²"))


THEOREMS = (shortcut, least_of_all, optimal, best_classifier, nested, held_out_once)

ALGORITHM = Algorithm(
    cross_validation,
    title="Cross-validation",
    point="Each fold is held out once; the model that does best on rows it never saw is taken.",
    after=("bias_variance",),
    also=("cv",),
    leaves_open="The error that chose a model is too kind to it.",
    tries=(("leave one out", "-p 'split=leave one out'"), ("other folds", "-p seed=1")),
    asks=(
        Ask("Is the fold worse than the rows that were fitted?", '"fold error" > "training error"', "fit"),
        Ask("Does the model have the least mean error after this fold?", '"a new least"', "fit"),
    ),
    summary="Scores each model on rows that it was not fitted to, fold by fold, and chooses the least mean error.",
    rule="e_k(v) = mean (y - f(x))² over fold k, f fitted without it\nv* = argmin 1/K Σ e_k(v)",
    needs=Needs(target="either", classes=2, within=(1e-60, 1e60)),  # beyond, the squares of products overflow or vanish
    phases={
        "start": "the rows are dealt to folds",
        "fit": "fit to all rows but those of a fold",
        "score": "the mean squared error on that fold",
        "refit": "the chosen model is fitted to all rows",
    },
    events=("score", Event("a new least", lambda before, after: before is not None and after.best != before.best)),
    fork_after=("start", "score", "refit"),
    start_only=("model", "tried", "split", "folds", "least", "most", "seed"),
    curves=(
        Curve("mean error", mean_of("errors"), "CV(v)", "error", SCORED, log=True, along=VALUE, tone="ink"),
        Curve("training error", mean_of("training"), "on rows fitted", "error", SCORED, log=True, along=VALUE, tone=2),
        Curve("fold error", fold_error, "e_k(v)", phases=("score",), log=True, tone="muted"),
        Curve(LEAST, least_error, "CV(v*)", tone="accent"),
        Curve("held-out error", held_out_error, "of the fit on rows unseen", phases=("fit", "refit"), tone=HELD_OUT),
    ),
    objective={},
    theorems=THEOREMS,
    in_hall="v* has the least mean error so far",
    expectations=HOLD_OUTS,
    ends={"all … values are scored": all_scored},
    symbols={
        "v, v', v*": ("degree, λ, k or C; the one after it; that with the least mean error", value_tried),
        "K": ("folds", lambda problem, state: state.errors.shape[1]),
        "e_k, CV": ("mean (y - f)² on fold k, of a hold-out e_1; the mean over the folds", None),
        "F": ("the rows held out, and how many", lambda p, state: int((state.fold_of == state.fold).sum()) or None),
        "f": ("what was fitted without them", None),
        "λ": ("the penalty, 0 for polynomials", penalty),
        "p, b": ("the chance of class 1, 1/(1 + e^-(b + w·x)), and the intercept", None),
        "W, P, α": ("a support vector machine's dual and primal with C = v, and its multipliers", None),
        "X, w": ("columns of the rows fitted on, 1 the first; weights, the intercept first", None),
        "H, h": ("the hat matrix of a fit to all rows, ŷ = Hy; its diagonal", None),
        "r": ("residuals y - Hy of a fit to all rows", None),
        "x, y": ("a row and its target", None),
        "k": ("a fold", None),
        "I": ("the identity matrix", None),
    },
    measured=("errors", "training", "left"),
    only_for=dict.fromkeys(("least", "most"), ("model", "ridge", "logistic", "linear SVM")),
    scene=scene,
    explain={"start": explain_start, "fit": explain_fit, "score": explain_score, "refit": explain_refit},
    adapt=adapt,
    validate=validate,
    datasets=(
        sine.with_(n=25),
        davis.with_(target="weight", columns=("height",)),
        iris.with_(classes=("versicolor", "virginica")),
        diabetes.with_(columns=("bmi",)),
        prostate.with_(columns=("lcavol", "lweight"), scale=True),
    ),
)
