"""The device tree overlays of docs/bring-up.md, as the device tree compiler makes them."""
import re
import subprocess

import pytest

from harness.paths import ROOT

OVERLAYS = sorted(ROOT.glob("examples/*.dts"))
# Those with sensors on I2C.
SENSORS = {"mpu9250", "lsm6dso-lis3mdl"}
TEXT = (ROOT / "docs/bring-up.md").read_text()


@pytest.fixture(scope="module", params=OVERLAYS, ids=lambda path: path.stem)
def overlay(request, tmp_path_factory):
    """What the firmware would load: source, compiled file, and its listing."""
    source, made = request.param, tmp_path_factory.mktemp("overlay") / "made.dtbo"
    done = subprocess.run(["dtc", "-@", "-I", "dts", "-O", "dtb", "-o", made, source], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
    listing = subprocess.run(["dtc", "-I", "dtb", "-O", "dts", made], capture_output=True, text=True, check=True)
    return source, listing.stdout


def determinant(m):
    return (m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]))


def test_there_are_overlays():
    assert {path.stem for path in OVERLAYS} == {*SENSORS, "pps-gpio18"}


def test_an_overlay_names_chips_addresses_and_interrupts_as_the_wiring_does(overlay):
    source, listing = overlay
    # At the bus and the pins' controller of the Pi, by the names of its device tree.
    fixups = re.search(r"__fixups__ \{(.*?)\};", listing, re.DOTALL).group(1)
    assert set(re.findall(r"(\w+) = ", fixups)) == ({"i2c1", "gpio"} if source.stem in SENSORS else {"gpio"})
    if source.stem not in SENSORS:
        [pin] = re.findall(r"gpios = <0xffffffff (0x\w+) 0x00>", listing)
        assert re.search(rf"^\| pulse per second \| \d+ \| {int(pin, 16)} \|", TEXT, re.MULTILINE)
        return
    chips = re.findall(r'compatible = "([^"]+)";\s+reg = <(0x[0-9a-f]+)>', listing)
    assert chips
    for _, address in chips:
        assert address in TEXT
    pins = [int(pin, 16) for pin, edge in re.findall(r"interrupts = <(0x\w+) 0x0?(\d)>", listing) if edge == "1"]
    assert len(pins) == len(chips)
    for pin in pins:
        assert re.search(rf"^\| interrupt \| \d+ \| {pin} \|", TEXT, re.MULTILINE)


def test_the_mount_matrices_are_rotations(overlay):
    source, _ = overlay
    matrices = re.findall(r"mount-matrix = ([^;]+);", source.read_text())
    assert len(matrices) == source.read_text().count("interrupts =")
    for text in matrices:
        matrix = [int(cell) for cell in re.findall(r'"(-?\d)"', text)]
        assert len(matrix) == 9 and determinant(matrix) == 1
        assert all(sum(map(abs, matrix[row * 3:row * 3 + 3])) == 1 for row in range(3))


def product(a, b):
    return [sum(a[row * 3 + k] * b[k * 3 + column] for k in range(3)) for row in range(3) for column in range(3)]


def test_the_matrix_that_the_driver_derives_for_the_mpu9250_is_right_for_the_example():
    text = (ROOT / "examples/mpu9250.dts").read_text()
    mount = [int(cell) for cell in re.findall(r'"(-?\d)"', text)]
    # inv_mpu_magn.c (Linux 6.6): x from y, y from x, z from -z, of the rows of the chip's matrix rather than of its columns.
    swap = [0, 1, 0, 1, 0, 0, 0, 0, -1]
    assert product(swap, mount) == product(mount, swap)


def test_every_overlay_is_in_the_text():
    for path in OVERLAYS:
        assert f"`{path.name}`" in TEXT
