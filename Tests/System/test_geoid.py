"""The grid of the geoid in the sources is what `scripts/geoid` makes of the published one, as near to it as the documents say."""
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PUBLISHED = pathlib.Path("/usr/share/proj/egm96_15.gtx")


@pytest.mark.skipif(not PUBLISHED.exists(), reason=f"{PUBLISHED} is missing: Debian 12's package proj-data has it")
def test_the_grid_is_made_of_the_published_one_and_near_to_it():
    made = subprocess.run([ROOT / "scripts/geoid", "--check"], capture_output=True, text=True, check=True, timeout=60)
    mean, greatest = map(float, re.fullmatch(r"root mean square (\S+) m, greatest (\S+) m\n", made.stdout).groups())
    assert mean < 0.145 and greatest < 3.95
