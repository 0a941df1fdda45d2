"""The benchmark measures what it says, and finds that a sample takes nothing from the heap."""
import re
import subprocess
import sys

from harness.process import PROGRAMS, ROOT


def test_the_path_of_a_sample_allocates_nothing():
    done = subprocess.run(
        [PROGRAMS / "waymark-bench", "--check-allocations"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^allocations per inertial sample: 0\.0$", done.stdout, re.MULTILINE), done.stdout


def test_the_table_has_a_row_for_each_figure():
    done = subprocess.run(
        [sys.executable, ROOT / "scripts/bench", PROGRAMS, "--rounds", "1", "--places", "2000", "--hours", "0.1"],
        capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    for row in ["inertial sample, all aids", "fix 0.3 s late", "allocations a sample"]:
        assert row in done.stdout, done.stdout
    for row in ["Scene among 2000 places", "nearby places", "scene and message", "import, by the clock", "resident"]:
        assert row in done.stdout, done.stdout
    for row in ["Noise of 0.1 h at 200 Hz, 72000 samples", "Allan variances", "fit of six curves"]:
        assert row in done.stdout, done.stdout
    assert "VQF" in done.stdout, "measured, or said to be missing"
