"""Learning a coin: the chance of heads, from tosses, as a distribution that narrows with each of them.

    prior        p(θ) = θ^(α-1) (1-θ)^(β-1) / B(α, β),      B(a, b) = Γ(a) Γ(b) / Γ(a + b)
    likelihood   p(tosses | θ) = θ^h (1-θ)^t                h heads and t tails so far
    posterior    p(θ | tosses) = Beta(α + h, β + t)         the prior's form again: conjugate

Three estimates of θ: that of maximum likelihood, h/(h + t); the posterior's mode (α + h - 1)/(α + β + h + t - 2),
the most probable θ; and its mean (α + h)/(α + β + h + t), the chance of heads at the next toss (Laplace's rule of
succession), for which the prior counts as much as α heads and β tails.

The mean is the prior mean and the maximum likelihood estimate weighted by α + β and h + t, so it lies between them: the
prior's strength is (α + β)/(α + β + h + t). The chances with which each toss was expected multiply to
p(tosses) = B(α + h, β + t) / B(α, β), which knows how many heads there were, not when: the order does not matter.

References: Bayes (1763), An essay towards solving a problem in the doctrine of chances, Phil. Trans. 53; Laplace
(1774), Mémoire sur la probabilité des causes par les événements; de Finetti (1937), La prévision: ses lois logiques,
ses sources subjectives; Raiffa and Schlaifer (1961), Applied Statistical Decision Theory.
"""

from math import ceil, lgamma, log, log2, nan
from typing import Annotated

import numpy as np

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Ask,
    Curve,
    Dataset,
    GhostTrail,
    Meta,
    Needs,
    Panel,
    Path,
    Paths,
    Points,
    Problem,
    Run,
    Scene,
    Segments,
    Sides,
    State,
    Words,
    columns,
    numbers,
    theorem,
)
from algorithms.core.scene import Tone
from algorithms.data import badges, breast_cancer, coin, davis
from algorithms.families.estimation.beta_bernoulli.beta import Beta, interval, log_beta, masses
from algorithms.families.estimation.shared.growing_pictures import rows_shown
from algorithms.toolbox.ends import all_rows

_PLACES = np.linspace(0.0, 1.0, 403)[1:-1]  # where densities are drawn
_TONES: tuple[Tone, ...] = ("muted", 2, "accent")  # of prior, likelihood and posterior
_NAMES = ("prior", "likelihood", "posterior")
_TRUTH = 3
_LOOKED_AT = np.array([0.1, 0.3, 0.5, 0.7, 0.9])  # places at which Bayes' rule is worked out anew
_NAMED = tuple(f"θ = {theta:g}" for theta in _LOOKED_AT.tolist())


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


def strength(problem: Problem, state: BetaBernoulliState) -> float:
    """(α + β)/(α + β + h + t): how much of the mean is the prior's."""
    weight = sum(prior(problem))
    return weight / (weight + state.heads + state.tails)


def tossed(problem: Problem, state: BetaBernoulliState) -> bool | str:
    """The hypothesis that there is an estimate of maximum likelihood."""
    return state.heads + state.tails > 0 or "before the first toss there is no estimate of maximum likelihood"


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
    both = "posterior, with its mean"  # one colour, so one name
    height = min(float(beliefs[2].density(np.array([mean]))[0]), top)
    return Panel(
        title="what is believed of θ",
        marks=(
            GhostTrail(mark=lambda past: curve(posterior(problem, past), "accent", top), last=3, name="before"),
            *([Path(at=true, tone=_TRUTH, name=f"truth {known:.3g}")] if known == known else []),
            *(
                Paths(at=curve(belief, tone, top).at[None], tones=(tone,), name=name)
                for belief, tone, name in zip(beliefs, _TONES, (*_NAMES[:2], both))
            ),
            Segments(start=np.array([[mean, 0.0]]), end=np.array([[mean, height]]), tone="accent", name=both),
        ),
        axes=("θ, the chance of heads", "density"),
        limits=((0.0, 1.0), (0.0, top)),
        note="likelihood scaled to area 1",
    )


def curve(belief: Beta, tone: Tone, top: float) -> Path:
    """A density as far as it is below `top`."""
    height = belief.density(_PLACES)
    return Path(at=np.column_stack([_PLACES, np.where(height <= top, height, nan)]), tone=tone)


def toss_by_toss(problem: Problem, state: BetaBernoulliState) -> Panel:
    """Every toss so far, and the estimates after each."""
    data, believed = problem.data, prior(problem)
    faces = np.asarray(data.y)[: state.heads + state.tails]
    number, heads = np.arange(len(faces) + 1), np.concatenate(([0], faces.cumsum()))
    mean = (believed.a + heads) / (believed.a + believed.b + number)
    most_likely = heads[1:] / number[1:]
    last = float(rows_shown(len(faces), data.n))
    lines = [
        Paths(at=np.column_stack([number, mean])[None], tones=(_TONES[2],), name="mean"),
        Paths(at=np.column_stack([number[1:], most_likely])[None], tones=(_TONES[1],), name="MLE"),
    ]
    if truth(problem) == truth(problem):
        level = np.array([[0.0, truth(problem)], [last + 1, truth(problem)]])
        lines.insert(0, Paths(at=level[None], tones=(_TRUTH,), name="truth"))
    ringed = number[1:] == len(faces)
    tosses = Points(at=np.column_stack([number[1:], faces]), classes=faces, names=data.classes, ringed=ringed)
    return Panel(
        title="toss by toss",
        marks=(*lines, tosses),
        axes=("tosses", "share of heads"),
        limits=((0.0, last + 1), (-0.06, 1.06)),
    )


def distributions_table(problem: Problem, state: BetaBernoulliState) -> Panel:
    beliefs = (prior(problem), likelihood(state), posterior(problem, state))
    rows = ("heads: a", "tails: b", "mean", "mode", "standard deviation", "2.5% is below", "2.5% is above")
    cells = [(*one, one.mean, one.mode, one.deviation, *interval(*one)) for one in beliefs]
    heads = {"": rows, "prior": cells[0], "likelihood": cells[1], "posterior": cells[2]}
    return columns("Beta(a, b)", heads, note="the likelihood's mode is the MLE")


def numbers_table(problem: Problem, state: BetaBernoulliState) -> Panel:
    tosses = state.heads + state.tails
    return numbers(
        {
            "heads h": state.heads,
            "tails t": state.tails,
            "MLE h/(h + t)": maximum_likelihood(state),
            "chance of heads next": posterior(problem, state).mean,
            "the prior's share of it": strength(problem, state),
            "ln p(tosses)": nan if problem.forked else state.evidence,
            "bits a toss": -state.evidence / log(2) / tosses if tosses and not problem.forked else nan,
            "truth": truth(problem),
        }
    )


def explain(problem: Problem, before: BetaBernoulliState | None, after: BetaBernoulliState) -> str:
    data, believed = problem.data, posterior(problem, after)
    now = f"θ is {believed.mean:.3f} ± {believed.deviation:.3f}"
    tosses = after.heads + after.tails
    if not tosses:
        return f"Before any toss Beta({believed.a:g}, {believed.b:g}) is believed: {now}."
    face = data.classes[int(np.asarray(data.y)[tosses - 1])]
    seen = f"{after.heads} of {tosses} tosses are {data.classes[1]}, {maximum_likelihood(after):.3f}"
    if before is None:
        return f"Toss {tosses} is {face}. {seen}; {now}."
    was = posterior(problem, before)
    chance = was.mean if after.heads > before.heads else 1 - was.mean
    return Words.of(f"Toss {tosses} is {face}, which was expected with chance {chance:.3f}.", f"{seen}; {now}.")


SYMBOLS = {
    "θ": ("the chance of heads, which the posterior is about", None),
    "α, β": ("heads and tails that the prior counts for", None),
    "h": ("heads so far", lambda problem, state: state.heads),
    "t": ("tails so far", lambda problem, state: state.tails),
    "s": ("the prior's strength, (α + β)/(α + β + h + t)", strength),
    "MLE": ("h/(h + t), of maximum likelihood", lambda p, state: maximum_likelihood(state) if state.t else None),
    "B": ("the Beta function, Γ(a) Γ(b) / Γ(a + b)", None),
    "a, b": (
        "what α and β have become: α + h and β + t",
        lambda problem, state: problem.parameters.alpha + state.heads,
    ),
    "p": ("what is believed, as a density", None),
}
WEIGHED = "(α + h)/(α + β + h + t) = s α/(α + β) + (1 - s) h/(h + t)"


@theorem(
    "the posterior mean lies between the prior mean and the MLE",
    source="Bayes (1763)",
    hypotheses={"there was a toss": tossed},
    proof=(WEIGHED, "a mean with weights s and 1 - s, both >= 0, lies between"),
)
def mean_is_between(problem: Problem, before: BetaBernoulliState | None, after: BetaBernoulliState) -> Answer:
    ends = prior(problem).mean, maximum_likelihood(after)
    mean = posterior(problem, after).mean
    return Sides(("min(prior, MLE)", min(ends)), ("posterior mean", mean), ("max(prior, MLE)", max(ends)))


@theorem(
    "Bayes: p'(θ) = p(θ) p(toss|θ)/p(toss)",
    source="Bayes (1763)",
    about="step",
    phases=("heads", "tails"),
    proof=(
        "θ^(a-1) (1-θ)^(b-1) times θ is θ^a (1-θ)^(b-1): Beta(a + 1, b) but for a factor",
        "p(heads) = ∫ θ Beta(a, b) dθ = a/(a + b) = B(a + 1, b)/B(a, b) is that factor",
    ),
)
def bayes_rule(problem: Problem, before: BetaBernoulliState, after: BetaBernoulliState) -> Answer:
    """The new density at some places, against the old one times the likelihood of the toss over its chance."""
    heads = np.asarray(problem.data.y)[after.heads + after.tails - 1] == 1
    was, now = posterior(problem, before), posterior(problem, after)
    chance, of_toss = (was.mean, _LOOKED_AT) if heads else (1 - was.mean, 1 - _LOOKED_AT)
    learnt = was.log_density(_LOOKED_AT) + np.log(of_toss / chance)
    size = 2 * (abs(lgamma(sum(now))) + sum(now))  # of the logarithms that cancel in ln B and in the exponent
    sides = ("ln p'(θ)", now.log_density(_LOOKED_AT)), ("ln p(θ)p(toss|θ)/p(toss)", learnt)
    return Sides.each(*sides, relation="==", size=size, entries=_NAMED)


@theorem(
    "the posterior Beta(α+h, β+t) integrates to one",
    source="Euler (1730)",
    proof=("∫ θ^(a-1) (1-θ)^(b-1) dθ = Γ(a) Γ(b)/Γ(a + b) = B(a, b)",),
)
def integrates_to_one(problem: Problem, before: BetaBernoulliState | None, after: BetaBernoulliState) -> Answer:
    a, b = posterior(problem, after)
    integral = float(masses(a, b)[1].sum())
    # The exponent is a difference of terms as large as ln Γ(a + b), each right to a bit or two.
    size = 1 + abs(lgamma(a + b)) + a + b
    return Sides(("∫ Beta(α+h, β+t) dθ", integral), ("1", 1.0), relation="==", size=size)


@theorem(
    "mean = s prior mean + (1 - s) MLE",
    source="Raiffa and Schlaifer (1961)",
    hypotheses={"there was a toss": tossed},
    proof=(WEIGHED,),
)
def mean_is_weighed(problem: Problem, before: BetaBernoulliState | None, after: BetaBernoulliState) -> Answer:
    s = strength(problem, after)
    mixed = s * prior(problem).mean + (1 - s) * maximum_likelihood(after)
    return Sides(("mean", posterior(problem, after).mean), ("s prior + (1 - s) MLE", mixed), relation="==", size=1.0)


@theorem(
    "the order of the tosses does not matter",
    source="de Finetti (1937)",
    about="run",
    proof=(
        "the heads' chances have numerators α, α + 1, ..., α + h - 1, in whatever order they come",
        "those of the tails β, ..., β + t - 1, and the denominators are α + β, α + β + 1, ...",
    ),
)
def order_does_not_matter(problem: Problem, before: BetaBernoulliState | None, after: BetaBernoulliState) -> Answer:
    tosses = after.heads + after.tails
    backwards = expected(np.asarray(problem.data.y)[:tosses][::-1] == 1, prior(problem))
    together = log_beta(*posterior(problem, after)) - log_beta(*prior(problem))
    # both ways add as many logarithms as there are tosses; the third cancels two of the size of ln Γ
    size = 1 + tosses + abs(lgamma(sum(posterior(problem, after))))
    return Sides(
        ("Σ ln p as they came", after.evidence),
        ("backwards", backwards),
        ("ln B(α+h, β+t)/B(α, β)", together),
        relation="==",
        size=size,
    )


THEOREMS = (mean_is_between, bayes_rule, integrates_to_one, mean_is_weighed, order_does_not_matter)

ALGORITHM = Algorithm(
    beta_bernoulli,
    title="Learning a coin: Beta and Bernoulli",
    point="Each toss narrows what is believed of the coin, and draws it to the share of heads.",
    leaves_open="It believes that the tosses are independent, and never asks.",
    tries=(("a prior sure of 1/2", "-p alpha=100 -p beta=100"), ("1,000 tosses", "--data coin:n=1000,p=0.1,seed=1")),
    asks=(
        Ask("Does the posterior mean come nearer to the truth?", 'abs("posterior mean" - truth) falls'),
        Ask(
            "Is it then nearer to the truth than the share of heads?",
            'abs("posterior mean" - truth) < abs(MLE - truth)',
        ),
    ),
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
        Curve(
            "posterior mean",
            lambda problem, state: posterior(problem, state).mean,
            "(α + h)/(α + β + h + t)",
            "θ",
            tone=_TONES[2],
        ),
        Curve("MLE", lambda problem, state: maximum_likelihood(state), "h/(h + t)", "θ", tone=_TONES[1]),
        Curve(
            "posterior mode",
            lambda problem, state: posterior(problem, state).mode,
            "the most probable θ",
            "θ",
            tone=5,  # the first two are those of tails and heads
        ),
        Curve("truth", lambda problem, state: truth(problem), "θ that the tosses were made with", "θ", tone=_TRUTH),
        Curve("prior's share", strength, "(α + β)/(α + β + h + t)"),
        Curve("deviation", lambda problem, state: posterior(problem, state).deviation, "of the posterior", log=True),
        Curve("log evidence", lambda problem, state: state.evidence, "ln p(tosses)", about="run"),
    ),
    objective={("log evidence",): ()},
    theorems=THEOREMS,
    ends={
        "all … tosses are seen": all_rows(lambda state: state.heads + state.tails),
    },
    symbols=SYMBOLS,
    scene=scene,
    explain=explain,
    adapt=adapt,
    datasets=(
        coin.with_(seed=2),
        badges,
        coin.with_(n=1000, p=0.1, seed=1),
        davis,
        breast_cancer,
        coin.with_(faces="10011011111"),
    ),
)
