"""Documents of calibrations, as `waymark calibrate export` writes them. Needs nothing but the standard library."""

IDENTITY = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
KINDS = {"gyroscope": "gyro", "accelerometer": "accel", "magnetometer": "mag", "mount": "mount"}


def sensor(name, bias=(0.0, 0.0, 0.0), matrix=None, **record):
    """One sensor with a calibration made by `waymark calibrate`."""
    return {"sensor": name, "history": [], "present": {
        "time": 1.7e9, "origin": "calibrate", "kind": KINDS[name], "waymark": "1",
        "parameters": {"bias": list(bias), "matrix": matrix or IDENTITY}, **record}}


# Of a board whose emulated magnetometer is without error, known to half a microtesla. A board without a calibration on
# record estimates no heading while it lies still or turns at one place.
MAGNETOMETER = sensor(
    "magnetometer", standardDeviations={"bias": [0.5, 0.5, 0.5], "matrix": [[0.0] * 3] * 3})


def document(*sensors, device=None):
    """Calibrations of the sensors of one device, which is any device unless `device` says which."""
    part = {"sensors": list(sensors), **({"device": device} if device else {})}
    return {"format": "waymark calibration", "version": 1, "devices": [part]}
