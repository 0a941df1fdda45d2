"""Every document that shows commands, and what these need."""
import contextlib
import shutil
import sqlite3

from harness.elevation import degree, geotiff

from .page import Page

# The daemon where that of a board is.
DAEMON = (
    "mkdir /run/waymark", "waymarkd --demo --socket /run/waymark/waymark.sock 2>daemon.log &",
    "until [ -S /run/waymark/waymark.sock ]; do sleep 0.1; done")
# What Ctrl-C alone ends, and what it prints before.
WATCH = {r"waymark watch(?!.*-n)": r"localized|searching"}
SERVE = {r"waymark serve [^&]*$": r"serves http"}
# Groups, services, packages and the kernel belong to the guest.
PACKAGES = {r"sudo (apt|usermod)|apt-get": "Board/test_package.py"}
# Units and device files are those of a board, which is a guest in the tests.
UNITS = {r"(sudo )?(systemctl|journalctl -u)": "Board/test_units.py"}
HARDWARE = "(hardware)"


def heights(home):
    degree(home, 47, 8, lambda row: 450)
    geotiff(home / "Copernicus_DSM.tif", 47.3, 8.5, 0.01, 12, 12, lambda latitude, longitude: 440)
    nodes = [(1, 47.37685, 8.5416), (2, 47.37685, 8.5418), (3, 47.37695, 8.5418), (4, 47.37695, 8.5416)]
    (home / "town.osm").write_text('<osm version="0.6">' + "".join(
        f'<node id="{id}" version="1" lat="{latitude}" lon="{longitude}"/>' for id, latitude, longitude in nodes) +
        '<way id="9" version="1">' + "".join(f'<nd ref="{id}"/>' for id in (1, 2, 3, 4, 1)) +
        '<tag k="building" v="yes"/><tag k="height" v="12"/><tag k="amenity" v="cafe"/><tag k="name" v="Corner"/></way></osm>')


def aids(home):
    locator = home / "bin/my-locator"
    locator.write_text("#!/bin/sh\necho 47.3769,8.5417,5\n")
    locator.chmod(0o755)
    (home / "ranges.csv").write_text("t_s,lat_deg,lon_deg,alt_m,range_m,sd_m\n1,47.3769,8.5417,450,12,1\n")


def recordings(home):
    for name in ("before.mcap", "after.mcap"):
        shutil.copy(home / "examples/walk.mcap", home / name)


def bridges(home):
    with contextlib.closing(sqlite3.connect(home / "region.mbtiles")) as database, database:
        database.executescript(
            "CREATE TABLE metadata (name, value); INSERT INTO metadata VALUES ('format', 'png');"
            "CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data); INSERT INTO tiles VALUES (14, 1, 1, x'89504e47');")


README = Page(
    "README.md", prints={"waymark pose": "localized", "waymark route to": "Fountain", "waymark ahead": "Fountain"}, endless=SERVE,
    elsewhere={
        "make (demo|check)": "System/test_demo.py", "make deb": "System/test_package.py", "sudo": "Board/test_package.py",
        "waymark calibrate all": "System/test_calibrate_command.py"})

PAGES = [
    # The broker is a service where Debian's mosquitto is installed.
    Page("docs/tour.md", before=("(mosquitto -p 1883 >/tmp/mosquitto.log 2>&1 &)",), prints={
        "waymark wait": "ready", "waymark pose": '"quaternion"', "waymark share": "geo:47.37",
        "waymark ahead": "Turn right", "waymark places import": "12 places", "waymark places search": "Café zum Turm",
        "waymark route to": "Fountain", "waymark route set directions.json": "Library Walk",
        "waymark route show": "Library Walk", "until gpspipe": '"class":"TPV"', "waymark doctor": "the daemon answers",
        "waymark calibrate mag": "Magnetometer: accepted", "waymark record": "mine.mcap", "waymark report": "mine-walk.html"},
        endless={**WATCH, r"waymark scene --watch": r"distance +bearing", r"waymark fleet watch": r"12 wearers"}),
    Page("docs/heights.md", before=(*DAEMON, "osmium cat town.osm -o region.osm.pbf"), files=heights, prints={
        "waymark terrain import N47": "100 tiles", "waymark terrain import town": "1 building",
        "waymark terrain list": "1 building", "waymark terrain show": "440", "waymark terrain remove": "1 building removed"}),
    Page("docs/plans.md", before=("cd examples", "cp station.geojson building.geojson", *DAEMON), prints={
        "waymark plan import": "2 levels", "waymark plan list": "Main hall", "waymark plan show": "features"}),
    Page("docs/drawing-plans.md", before=("cd examples", *DAEMON), prints={"waymark plan import": "2 levels"}),
    Page("docs/doctor.md", before=DAEMON, prints={"waymark doctor": "the daemon answers", "waymark doctor --json": '"findings"'}),
    Page("docs/recordings.md", before=(*DAEMON, "waymark record walk.mcap --duration 5"), files=recordings, prints={
        "waymark report before": "before-after.html"}),
    Page("docs/aiding.md", before=DAEMON, files=aids, prints={"waymark aid --csv": "1 row offered"},
         endless={"WAYMARK_SOCKET=.* waymark watch": "localized|searching"}, elsewhere={
        "sudo": "Board/test_package.py", "waymark sight": "System/test_aid.py",
        "python3 sensor_logger": "System/test_aid_examples.py"}),
    Page("docs/bridges.md", before=("mkdir /run/waymark-bridge",), files=bridges, prints={
        "until gpspipe": '"class":"TPV"', "curl": "waymark_up 1"},
        endless={
            **SERVE, "cgps": "Latitude", "socat|until cat": "GGA", "waymark-bridge --opentrack": "OpenTrack|opentrack", "waymark-bridge --mavlink": "MAVLink",
            "waymark serve( .*)?$": "serves http"},
        elsewhere={
            r"sudo systemctl .* (iio|waymark)": "Board/test_units.py", "monitor-sensor|busctl": "System/test_bridge_sensor_proxy.py",
            "ssh": "(another computer)"}),
    Page("docs/sound.md", before=(*DAEMON, "export ALSOFT_DRIVERS=null"), endless={"waymark-beacon( --target.*| +#.*)$": "beacon"},
         elsewhere={
             **PACKAGES, "systemctl --user": "System/test_beacon.py"}),
    Page("docs/routes-and-places.md", before=(
        *DAEMON, "waymark wait --horizontal 10 --yaw 15", "osmium cat town.osm -o extract.osm.pbf"), files=heights, prints={
        "waymark route to fountain": "Fountain", "waymark places import": "1 place"}, elsewhere={
        r"waymark route to (47|geo)": "System/test_navigation.py", "waymark route to --keep": "System/test_navigation.py",
        "(sudo systemctl .*)?waymark.navigator": "System/test_navigator.py"}),
    Page("docs/fleet.md", elsewhere={
        r"brokers=|\$brokers/|printf": "System/test_fleet_scripts.py",
        "install|chown|mosquitto_|curl": "System/test_brokers.py", "apt-get": "System/test_require.py",
        "systemctl|editor|nft": "(a broker's computer)", "waymark-mqtt|waymark fleet watch --broker": "System/test_mqtt.py"}),
    Page("docs/board.md", elsewhere={
        **UNITS, **PACKAGES, "udevadm": "Board/test_udev.py", "waymark devices": "Board/test_kernel_samples.py",
        r"sudo modprobe|ls /sys/kernel/config": "Board/test_timers.py", r"sudo (aa-|journalctl -k)": "Board/test_units.py"}),
    Page("docs/bring-up.md", elsewhere={
        **UNITS, **PACKAGES, "dtc": "System/test_overlays.py",
        r"waymark (devices|doctor --worn|watch|calibrate all)|sudo waymark doctor": "Board/test_kernel_samples.py",
        "sudo (cp|ppstest)|i2cdetect|grep|cat|cgps|ubxtool|chronyc|gpspipe": HARDWARE}),
    Page("docs/packaging.md", elsewhere={
        "make deb|sudo apt": "System/test_package.py", "make container": "System/test_container.py",
        "make release": "System/test_release.py", r"make build|sudo (systemd|udevadm|systemctl|ldconfig)": "System/test_install.py",
        "mmdebstrap|autopkgtest": "(a root of Debian)", "make check-arm64": "System/test_cross_core.py"}),
    Page("docs/openxr.md", elsewhere={
        "sudo apt": "System/test_package.py", "sudo usermod": "Board/test_package.py", ".": "System/test_openxr_monado.py"}),
    Page("docs/score.md", elsewhere={r"make|\.build": "(minutes of a processor)"}),
    Page("docs/protocol.md", elsewhere={"varlinkctl": "System/test_varlinkctl.py"}),
    Page("clients/README.md", elsewhere={"cc": "System/test_c_client.py"}),
    Page("packaging/README.md", elsewhere={
        "make tarball|cp|make": "System/test_embedded.py", "podman|bitbake": "(an image of another system)"}),
]
