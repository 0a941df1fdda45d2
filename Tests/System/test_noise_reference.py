"""`waymark calibrate noise` beside allantools, which computes the overlapping Allan deviation from the same samples."""
import csv
import gzip
import json
import math

import numpy
import pytest

from harness.command import waymark
from harness.paths import DATA

AXES = ["gx", "gy", "gz", "ax", "ay", "az"]
# Of the variance at a cluster time: bias instability B² · 2·ln 2/π, by IEEE 952.
FLICKER = 2 * math.log(2) / math.pi


def noise(path, *options):
    done = waymark("calibrate", "noise", "--from", path, "--json", *options)
    assert done.returncode == 0, done.stdout + done.stderr
    axes = json.loads(done.stdout)["noise"]
    assert [axis["axis"] for axis in axes] == AXES
    return axes


def reference(samples, rate, taus):
    """Overlapping Allan deviation at these cluster times; numbers of samples, so that none is rounded away."""
    # Here, as it takes a second of each process that reads this module.
    import allantools
    found, deviations, _, _ = allantools.oadev(
        samples, rate=rate, data_type="freq", taus=[round(tau * rate) / rate for tau in taus])
    assert len(found) == len(taus)
    return deviations


def fitted(axis, taus, deviations, uncertainties):
    """The reported ones of N, B and K by a plain fit to allantools' curve: non-negative least squares of the variance."""
    from scipy.optimize import nnls
    names = [name for name in ["randomWalk", "biasInstability", "rateRandomWalk"] if name in axis]
    taus, variances = numpy.array(taus), numpy.array(deviations) ** 2
    weights = 1 / (2 * variances * numpy.array(uncertainties))
    shapes = {"randomWalk": 1 / taus, "biasInstability": numpy.full_like(taus, FLICKER), "rateRandomWalk": taus / 3}
    terms = numpy.stack([shapes[name] for name in names], axis=1)
    squares, _ = nnls(terms * weights[:, None], variances * weights)
    return dict(zip(names, numpy.sqrt(squares), strict=True))


def compare(axis, samples, rate, tolerance):
    """The curve point by point, where there are many windows: how few are summed up differs."""
    curve = [point for point in axis["curve"] if point["uncertainty"] < 0.1]
    taus = [point["tau"] for point in curve]
    expected = reference(samples, rate, taus)
    assert len(curve) > 20
    for point, deviation in zip(curve, expected, strict=True):
        assert point["deviation"] == pytest.approx(deviation, rel=tolerance), (axis["axis"], point["tau"])
    return fitted(axis, taus, expected, [point["uncertainty"] for point in curve])


def flicker_noise(instability, rate, count):
    """Noise of one-sided spectral density B²/(π·f), IEEE 952, from white noise of 2/rate."""
    spectrum = numpy.fft.rfft(numpy.random.standard_normal(count))
    frequency = numpy.fft.rfftfreq(count, 1 / rate)
    spectrum[0] = 0
    spectrum[1:] *= instability * numpy.sqrt(rate / (2 * math.pi * frequency[1:]))
    return numpy.fft.irfft(spectrum, count)


@pytest.mark.long
def test_simulated_noise_has_the_deviations_and_coefficients_of_allantools(tmp_path):
    rate, count = 20.0, 216_000
    numpy.random.seed(3)
    white = {axis: 1e-3 if axis[0] == "g" else 5e-3 for axis in AXES}
    flicker = {axis: (0.0, 6e-4, 0.0)["xyz".index(axis[1])] for axis in AXES}
    walk = {axis: (0.0, 0.0, 6e-5)["xyz".index(axis[1])] * white[axis] / 1e-3 for axis in AXES}
    samples = {}
    for axis in AXES:
        flicker[axis] *= white[axis] / 1e-3
        samples[axis] = white[axis] * math.sqrt(rate) * numpy.random.standard_normal(count)
        if flicker[axis]:
            samples[axis] += flicker_noise(flicker[axis], rate, count)
        if walk[axis]:
            samples[axis] += numpy.cumsum(numpy.random.standard_normal(count)) * walk[axis] / math.sqrt(rate)
    path = tmp_path / "still.csv"
    with path.open("w") as file:
        file.write("t_s," + ",".join(AXES) + "\n")
        columns = [samples[axis] + (9.80665 if axis == "ay" else 0) for axis in AXES]
        for index, row in enumerate(zip(*columns)):
            file.write(f"{index / rate:.3f}," + ",".join(f"{value:.9g}" for value in row) + "\n")
    for axis in noise(path):
        name = axis["axis"]
        plain = compare(axis, samples[name], rate, 0.02)
        assert axis["randomWalk"] == pytest.approx(plain["randomWalk"], rel=0.04), name
        assert axis["randomWalk"] == pytest.approx(white[name], rel=0.03), name
        # Three hours determine the slow processes to a tenth and worse; but both fits see the same samples.
        for coefficient, truth in [("biasInstability", flicker[name]), ("rateRandomWalk", walk[name])]:
            if not truth:
                continue
            own = axis[coefficient]
            assert own == pytest.approx(plain[coefficient], rel=0.04), (name, coefficient)
            assert own == pytest.approx(truth, rel=0.2), (name, coefficient)


@pytest.mark.skipif(not DATA.is_dir(), reason=f"no recordings at {DATA}; set WAYMARK_DATA")
def test_a_recorded_rest_has_the_deviations_of_allantools():
    folder = DATA / "static_mpu6050_7min"
    scale = {"a": 9.80665 / 16384, "g": math.radians(1 / 131)}
    axes = noise(folder, "--accel-scale", str(scale["a"]), "--gyro-scale", str(scale["g"]))
    with gzip.open(folder / "imu_raw.csv.gz", "rt") as text:
        rows = list(csv.DictReader(text))
    rate = (len(rows) - 1) / (float(rows[-1]["t_s"]) - float(rows[0]["t_s"])) if "t_s" in rows[0] else 100.0
    for axis in axes:
        samples = numpy.array([float(row[axis["axis"]]) for row in rows]) * scale[axis["axis"][0]]
        plain = compare(axis, samples, rate, 0.03)
        # The sensor's low-pass takes from the shortest clusters, which are weighted differently.
        assert axis["randomWalk"] == pytest.approx(plain["randomWalk"], rel=0.05), axis["axis"]
