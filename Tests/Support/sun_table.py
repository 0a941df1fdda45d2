#!/usr/bin/env python3
"""Prints the table of Tests/GeometryTests/Earth/SunTable.swift: the sun at random times and places, as skyfield has it.

    python3 -m venv /tmp/sky && /tmp/sky/bin/pip install skyfield==1.55 skyfield-data==7.0.0
    /tmp/sky/bin/python Tests/Support/sun_table.py >Tests/GeometryTests/Earth/SunTable.swift

skyfield computes with JPL's ephemeris DE421, the precession and nutation of IAU 2000A, and the earth's rotation as it
was measured. After 2025 UT1 is taken for UTC, which is defined to stay within 0.9 s of it: skyfield's forecast, which
knows no leap seconds to come, is 3 s off by 2053, in which the sky turns by 0.01°.
"""
import datetime
import os
import random
import warnings

from skyfield.api import Loader, wgs84

COUNT = 60
# DE421 ends in October 2053.
FIRST, LAST = (datetime.datetime(year, 1, 1, tzinfo=datetime.timezone.utc) for year in (1990, 2053))
# Terrestrial time less UTC since 2017. Unit: seconds.
TERRESTRIAL_LEAD = 69.184

HEAD = """\
/// Position of the sun by skyfield, made by Tests/Support/sun_table.py, which says how.
enum SunTable {
    /// Seconds of UTC since 1970, latitude and longitude, elevation without an atmosphere and azimuth, in degrees, as
    /// seen from the ellipsoid.
    static let rows: [(utc: Double, latitude: Double, longitude: Double, elevation: Double, azimuth: Double)] = ["""


def main():
    # The package warns of measurements of the earth's rotation that are a year old.
    warnings.simplefilter("ignore")
    import skyfield_data
    load = Loader(skyfield_data.get_skyfield_data_path())
    ephemeris = load(os.path.join(skyfield_data.get_skyfield_data_path(), "de421.bsp"))
    measured, to_come = load.timescale(builtin=True), load.timescale(delta_t=TERRESTRIAL_LEAD)
    chance = random.Random(421)
    print(HEAD)
    for _ in range(COUNT):
        utc = chance.randrange(int(FIRST.timestamp()), int(LAST.timestamp()))
        latitude, longitude = round(chance.uniform(-80, 80), 4), round(chance.uniform(-180, 180), 4)
        moment = datetime.datetime.fromtimestamp(utc, datetime.timezone.utc)
        time = (measured if moment.year < 2026 else to_come).from_datetime(moment)
        place = ephemeris["earth"] + wgs84.latlon(latitude, longitude)
        elevation, azimuth, _ = place.at(time).observe(ephemeris["sun"]).apparent().altaz()
        print(f"        ({utc}, {latitude:.4f}, {longitude:.4f}, {elevation.degrees:.4f}, {azimuth.degrees:.4f}),")
    print("    ]\n}")


main()
