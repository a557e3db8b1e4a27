"""Learning a coin: the chance of heads, from tosses, as a distribution that narrows with each of them.

    prior        p(θ) = θ^(α-1) (1-θ)^(β-1) / B(α, β),      B(a, b) = Γ(a) Γ(b) / Γ(a + b)
    likelihood   p(tosses | θ) = θ^h (1-θ)^t                h heads and t tails so far
    posterior    p(θ | tosses) = Beta(α + h, β + t)         the prior's form again: conjugate

Three estimates of θ: that of maximum likelihood, h/(h + t); the posterior's mode (α + h - 1)/(α + β + h + t - 2),
the most probable θ; and its mean (α + h)/(α + β + h + t), the chance of heads at the next toss (Laplace's rule of
succession), for which the prior counts as much as α heads and β tails.

The mean is the prior mean and the maximum likelihood estimate weighted by α + β and h + t, so it lies between them. The
chances with which each toss was expected multiply to p(tosses) = B(α + h, β + t) / B(α, β), which knows how many heads
there were, not when: the order of the tosses does not matter.

References: Bayes (1763), Philosophical Transactions 53; Laplace (1774), Mémoires de l'Académie royale 6; Raiffa and
Schlaifer (1961), Applied Statistical Decision Theory; de Finetti (1937), Annales de l'Institut Henri Poincaré 7.
"""

from math import ceil, lgamma, log, log2, nan
from typing import Annotated

import numpy as np

from algorithms.core import (
    Algorithm,
    Array,
    Curve,
    Dataset,
    DoesNotApply,
    GhostTrail,
    Meta,
    Needs,
    Panel,
    Path,
    Points,
    Problem,
    Run,
    Scene,
    Segments,
    Sides,
    State,
    Table,
    Theorem,
)
from algorithms.core.scene import Tone
from algorithms.core.theorem import Answer
from algorithms.data import badges, breast_cancer, coin, davis
from algorithms.families.estimation.beta_bernoulli.beta import Beta, interval, log_beta, masses

_PLACES = np.linspace(0.0, 1.0, 403)[1:-1]  # where densities are drawn
_TONES: tuple[Tone, ...] = ("muted", 2, "accent")  # of prior, likelihood and posterior
_TRUTH = 3


class BetaBernoulliState(State, frozen=True, kw_only=True):
    heads: int = 0  # h, so far
    tails: int = 0  # t
    evidence: float = 0.0  # Σ ln of the chance with which each toss was expected: ln p(tosses)


def beta_bernoulli(
    data: Dataset,
    state: BetaBernoulliState | None = None,
    *,
    alpha: Annotated[float, Meta(ge=0.01, le=1000, description="of the prior: as many heads before the first")] = 2.0,
    beta: Annotated[float, Meta(ge=0.01, le=1000, description="of the prior: as many tails before the first")] = 2.0,
) -> Run[BetaBernoulliState]:
    is_heads = np.asarray(data.y) == 1
    if state is None:
        state = BetaBernoulliState()
        yield state
    for toss in range(state.heads + state.tails, data.n):
        a, b = alpha + state.heads, beta + state.tails  # what is believed before the toss
        if is_heads[toss]:
            evidence = state.evidence + log(a / (a + b))
            state = state.after("heads", iteration=toss + 1, heads=state.heads + 1, evidence=evidence)
            yield state
        else:
            evidence = state.evidence + log(b / (a + b))
            state = state.after("tails", iteration=toss + 1, tails=state.tails + 1, evidence=evidence)
            yield state
    return f"all {data.n:,} tosses are seen"


def adapt(before: Problem, after: Problem, state: BetaBernoulliState, rows: Array) -> BetaBernoulliState:
    """The tosses seen are those of them that are still there, as they now are; new ones come last."""
    tosses = state.heads + state.tails
    seen = int(((rows >= 0) & (rows < tosses)).sum())
    is_heads = np.asarray(after.data.y)[:seen] == 1
    heads = int(is_heads.sum())
    return state.replaced(heads=heads, tails=seen - heads, evidence=expected(is_heads, prior(after)))


def prior(problem: Problem) -> Beta:
    return Beta(problem.parameters.alpha, problem.parameters.beta)


def likelihood(state: BetaBernoulliState) -> Beta:
    """θ^h (1-θ)^t, scaled so that it integrates to one over θ."""
    return Beta(state.heads + 1.0, state.tails + 1.0)


def posterior(problem: Problem, state: BetaBernoulliState) -> Beta:
    return Beta(problem.parameters.alpha + state.heads, problem.parameters.beta + state.tails)


def maximum_likelihood(state: BetaBernoulliState) -> float:
    """h/(h + t); NaN before the first toss."""
    tosses = state.heads + state.tails
    return state.heads / tosses if tosses else nan


def truth(problem: Problem) -> float:
    """The chance of heads that the tosses were made with; NaN where it is not known."""
    return float(problem.data.truth.get("p", nan))


def integrates_to_one(problem: Problem, before: BetaBernoulliState | None, after: BetaBernoulliState) -> Answer:
    a, b = posterior(problem, after)
    integral = float(masses(a, b)[1].sum())
    # The exponent is a difference of terms as large as ln Γ(a + b), each right to a bit or two.
    slack = 1e-12 + 8 * np.finfo(float).eps * (abs(lgamma(a + b)) + a + b)
    return Sides(("∫ Beta(α+h, β+t) dθ", integral), ("1", 1.0), relation="==", slack=slack)


def mean_is_between(problem: Problem, before: BetaBernoulliState | None, after: BetaBernoulliState) -> Answer:
    if not after.heads + after.tails:
        return DoesNotApply("before the first toss there is no estimate of maximum likelihood")
    ends = prior(problem).mean, maximum_likelihood(after)
    mean = posterior(problem, after).mean
    return Sides(("min(prior, MLE)", min(ends)), ("posterior mean", mean), ("max(prior, MLE)", max(ends)))


def order_does_not_matter(problem: Problem, before: BetaBernoulliState | None, after: BetaBernoulliState) -> Answer:
    tosses = after.heads + after.tails
    backwards = expected(np.asarray(problem.data.y)[:tosses][::-1] == 1, prior(problem))
    together = log_beta(*posterior(problem, after)) - log_beta(*prior(problem))
    # Both ways add as many logarithms as there are tosses; the third cancels two of the size of ln Γ.
    slack = 1e-12 * (1 + tosses) + 8 * np.finfo(float).eps * abs(lgamma(sum(posterior(problem, after))))
    return Sides(
        ("Σ ln p as they came", after.evidence),
        ("backwards", backwards),
        ("ln B(α+h, β+t)/B(α, β)", together),
        relation="==",
        slack=slack,
    )


def expected(is_heads: Array, belief: Beta) -> float:
    """Σ ln of the chance with which each of some tosses is expected by who believed so before the first."""
    a = belief.a + is_heads.cumsum() - is_heads
    b = belief.b + (~is_heads).cumsum() - ~is_heads
    return float(np.log(np.where(is_heads, a, b) / (a + b)).sum())


def scene(problem: Problem, before: BetaBernoulliState | None, after: BetaBernoulliState) -> Scene:
    panels = (densities(problem, after), toss_by_toss(problem, after))
    return Scene((*panels, distributions_table(problem, after), numbers_table(problem, after)))


def densities(problem: Problem, state: BetaBernoulliState) -> Panel:
    """Prior, likelihood and posterior over θ, with earlier posteriors and the truth."""
    beliefs = (prior(problem), likelihood(state), posterior(problem, state))
    middle = _PLACES[8:-8]  # with α or β below 1 a density is infinite at an end
    top = 2.0 ** ceil(log2(1.05 * max(float(belief.density(middle).max()) for belief in beliefs)))
    known, mean = truth(problem), beliefs[2].mean
    true = np.array([[known, 0.0], [known, 0.97 * top]])
    height = min(float(beliefs[2].density(np.array([mean]))[0]), top)
    return Panel(
        title="what is believed of θ",
        marks=(
            GhostTrail(mark=lambda earlier: curve(posterior(problem, earlier), "accent", top), last=3),
            *([Path(at=true, tone=_TRUTH, name=f"truth {known:.3g}")] if known == known else []),
            *(curve(belief, tone, top) for belief, tone in zip(beliefs, _TONES)),
            Segments(start=np.array([[mean, 0.0]]), end=np.array([[mean, height]]), tone="accent"),
            *legend(problem, top),
        ),
        axes=("θ, the chance of heads", "density"),
        limits=((0.0, 1.0), (0.0, top)),
        note="likelihood scaled to area 1",
    )


def curve(belief: Beta, tone: Tone, top: float) -> Path:
    """A density as far as it is below `top`."""
    height = belief.density(_PLACES)
    return Path(at=np.column_stack([_PLACES, np.where(height <= top, height, nan)]), tone=tone)


def legend(problem: Problem, top: float) -> list[Path]:
    """The names of the lines, on the side where the tosses, all of them, do not lead."""
    left = 0.03 if np.mean(np.asarray(problem.data.y) == 1) > 0.5 else 0.72
    names = [("prior", _TONES[0]), ("likelihood", _TONES[1]), ("posterior and mean", _TONES[2])]
    return [
        Path(at=np.array([[left, height], [left + 0.04, height]]), tone=tone, name=name)
        for height, (name, tone) in zip(top * np.array([0.95, 0.84, 0.73]), names)
    ]


def toss_by_toss(problem: Problem, state: BetaBernoulliState) -> Panel:
    """Every toss so far, and the estimates after each."""
    data, believed = problem.data, prior(problem)
    faces = np.asarray(data.y)[: state.heads + state.tails]
    number, heads = np.arange(len(faces) + 1), np.concatenate(([0], faces.cumsum()))
    mean = (believed.a + heads) / (believed.a + believed.b + number)
    most_likely = heads[1:] / number[1:]
    lines = [
        Path(at=np.column_stack([number, mean]), tone=_TONES[2]),
        Path(at=np.column_stack([number[1:], most_likely]), tone=_TONES[1]),
    ]
    if truth(problem) == truth(problem):
        lines.insert(0, Path(at=np.array([[0.0, truth(problem)], [data.n, truth(problem)]]), tone=_TRUTH))
    tosses = Points(at=np.column_stack([number[1:], faces]), classes=faces, ringed=number[1:] == len(faces))
    return Panel(
        title="toss by toss",
        marks=(*lines, tosses),
        axes=("tosses", "share of heads"),
        limits=((0.0, data.n + 1.0), (-0.06, 1.06)),
    )


def distributions_table(problem: Problem, state: BetaBernoulliState) -> Panel:
    beliefs = (prior(problem), likelihood(state), posterior(problem, state))
    ends = [interval(*belief) for belief in beliefs]
    rows: tuple[tuple[str | float | None, ...], ...] = (
        ("heads: a", *(belief.a for belief in beliefs)),
        ("tails: b", *(belief.b for belief in beliefs)),
        ("mean", *(belief.mean for belief in beliefs)),
        ("mode", *(belief.mode if belief.mode == belief.mode else None for belief in beliefs)),
        ("standard deviation", *(belief.deviation for belief in beliefs)),
        ("2.5% is below", *(low for low, _ in ends)),
        ("2.5% is above", *(high for _, high in ends)),
    )
    return Panel(
        title="Beta(a, b)",
        marks=(Table(columns=("", "prior", "likelihood", "posterior"), rows=rows),),
        note="the likelihood's mode is the MLE",
    )


def numbers_table(problem: Problem, state: BetaBernoulliState) -> Panel:
    tosses = state.heads + state.tails
    rows: tuple[tuple[str, float | int | None], ...] = (
        ("heads h", state.heads),
        ("tails t", state.tails),
        ("MLE h/(h + t)", maximum_likelihood(state) if tosses else None),
        ("chance of heads next", posterior(problem, state).mean),
        ("ln p(tosses)", state.evidence),
        ("bits a toss", -state.evidence / log(2) / tosses if tosses else None),
        ("truth", truth(problem) if truth(problem) == truth(problem) else None),
    )
    return Panel(title="so far", marks=(Table(columns=("", "now"), rows=rows),))


def explain(problem: Problem, before: BetaBernoulliState | None, after: BetaBernoulliState) -> str:
    data, believed = problem.data, posterior(problem, after)
    now = f"θ is {believed.mean:.3f} ± {believed.deviation:.3f}"
    tosses = after.heads + after.tails
    if not tosses:
        return f"Before any toss Beta({believed.a:g}, {believed.b:g}) is believed: {now}."
    face = data.classes[int(np.asarray(data.y)[tosses - 1])]
    seen = f"{after.heads} of {tosses} tosses are {data.classes[1]}, {maximum_likelihood(after):.3f}"
    if before is None:
        return f"Toss {tosses - 1} is {face}. {seen}; {now}."
    was = posterior(problem, before)
    chance = was.mean if after.heads > before.heads else 1 - was.mean
    return f"Toss {tosses - 1} is {face}, which was expected with chance {chance:.3f}. {seen}; {now}."


ALGORITHM = Algorithm(
    beta_bernoulli,
    title="Learning a coin: Beta and Bernoulli",
    summary="Learns the chance of heads from tosses, as a distribution that narrows with each of them.",
    rule="heads:  Beta(a, b) -> Beta(a + 1, b)\ntails:  Beta(a, b) -> Beta(a, b + 1)",
    needs=Needs(target="class", classes=2),
    phases={
        "start": "the prior Beta(α, β)",
        "heads": "a toss is heads, the positive class: a <- a + 1",
        "tails": "a toss is tails: b <- b + 1",
    },
    events=("heads", "tails"),
    curves=(
        Curve("posterior mean", lambda problem, state: posterior(problem, state).mean, "(α + h)/(α + β + h + t)", "θ"),
        Curve("MLE", lambda problem, state: maximum_likelihood(state), "h/(h + t)", "θ"),
        Curve("posterior mode", lambda problem, state: posterior(problem, state).mode, "the most probable θ", "θ"),
        Curve("truth", lambda problem, state: truth(problem), "θ that the tosses were made with", "θ"),
        Curve("deviation", lambda problem, state: posterior(problem, state).deviation, "of the posterior", log=True),
        Curve("log evidence", lambda problem, state: state.evidence, "ln p(tosses)"),
    ),
    theorems=(
        Theorem("the posterior Beta(α+h, β+t) integrates to one", integrates_to_one, source="Euler (1730)"),
        Theorem("its mean lies between the prior mean and the MLE", mean_is_between, source="Bayes (1763)"),
        Theorem("the order of the tosses does not matter", order_does_not_matter, "de Finetti (1937)", about="run"),
    ),
    scene=scene,
    explain=explain,
    adapt=adapt,
    datasets=(coin, badges, coin.with_(n=1000, p=0.1, seed=1), davis, breast_cancer),
    references=(
        "Bayes (1763), An essay towards solving a problem in the doctrine of chances, Phil. Trans. 53",
        "Laplace (1774), Mémoire sur la probabilité des causes par les événements",
        "de Finetti (1937), La prévision: ses lois logiques, ses sources subjectives",
        "Raiffa and Schlaifer (1961), Applied Statistical Decision Theory",
    ),
)
