"""The fault drill: all that can break does, at random from a seed; the service comes back, and its poses are right."""
import os

import pytest

from drill.campaign import Campaign
from drill.faults import APART, KINDS
from drill.world import World
from rig.shared import only

# `make drill` sets them; without, each kind strikes once.
SEED = int(os.environ.get("SEED") or 1)
MINUTES = float(os.environ.get("MINUTES") or 0)
pytestmark = pytest.mark.drill


@pytest.fixture
def board(shared, fit):
    """One for each attempt: after a failed one it is a new one."""
    return only(shared, "board").take_installed()


def test_the_service_is_back_and_the_poses_are_right_after_every_fault(board):
    campaign = Campaign(World(board), KINDS, SEED, APART)
    try:
        campaign.run(MINUTES)
    finally:
        print(f"drill of seed {SEED}: make drill SEED={SEED} MINUTES={MINUTES:g}")
        print(campaign.figures())
