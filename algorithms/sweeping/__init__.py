"""Many runs at once: one algorithm over many seeds, parameters or data, in worker processes or on a cluster."""

from algorithms.sweeping.background import BackgroundSweep as BackgroundSweep
from algorithms.sweeping.columns import Columns as Columns
from algorithms.sweeping.expected import Estimate as Estimate, estimates as estimates
from algorithms.sweeping.outcome import Failed as Failed, Outcome as Outcome
from algorithms.sweeping.plan import Plan as Plan
from algorithms.sweeping.sweep import Sweep as Sweep, SweptRun as SweptRun, sweep as sweep
