"""Folders of tables into MCAP files: the same poses from both, and nothing lost or left behind where it fails."""
import gzip
import subprocess

import pytest
from mcap.reader import make_reader
from mcap.writer import Writer

from harness.command import waymark
from harness.paths import DATA, PROGRAMS
from harness.recording import write_tables

pytestmark = pytest.mark.library


@pytest.fixture
def folder(tmp_path):
    """Twenty seconds of a board at rest, with a magnetometer, a barometer and fixes."""
    return write_tables(tmp_path / "recording", 20, {
        "imu.csv": ("t_s,ax,ay,az,gx,gy,gz", 100, lambda t: f"{t:.2f},0.01,9.81,{0.02 * (t % 1):.4f},0.001,0,0"),
        "mag.csv": ("t_s,mx,my,mz", 25, lambda t: f"{t:.2f},20,-42,{5 * (t % 1):.3f}"),
        "baro.csv": ("t_s,pressure_hpa", 10, lambda t: f"{t:.2f},950.25"),
        "gnss.csv": ("t_s,arrival_s,lat_deg,lon_deg,alt_m,hacc_m", 1, lambda t: f"{t},{t + 0.2},48.1,11.5,566,3"),
    })


def test_an_imported_folder_gives_the_same_poses(folder, tmp_path):
    recording = tmp_path / "a.mcap"
    result = waymark("import", folder, recording)
    assert result.returncode == 0, result.stderr
    tables = []
    for source in (folder, recording):
        output = tmp_path / f"{source.name}.csv"
        result = waymark("replay", source, "--output", output)
        assert result.returncode == 0 and "warning" not in result.stderr, result.stderr
        tables.append(output.read_bytes())
    assert tables[0] == tables[1] and tables[0].count(b"\n") == 2001


def test_accelerations_in_g_are_refused_with_the_unit_and_the_factor(tmp_path):
    folder = write_tables(tmp_path / "recording", 5, {
        "imu.csv": ("t_s,ax,ay,az,gx,gy,gz", 100, lambda t: f"{t:.2f},0.01,0.99,{0.05 * (t % 1):.4f},3.5,0,0")})
    for arguments in (("import", folder, tmp_path / "a.mcap"), ("replay", folder)):
        result = waymark(*arguments)
        assert result.returncode == 1 and "imu.csv:1: the accelerations are in g: multiply" in result.stderr, result
    assert not (tmp_path / "a.mcap").exists()
    # A calibration takes any unit, and says how to get one in m/s².
    result = waymark("calibrate", "accel", "--from", folder / "imu.csv")
    assert "accelerations look like g" in result.stderr and "--accel-scale 9.80665" in result.stderr, result


def test_what_a_folder_says_of_its_magnetometer_is_imported_or_told(folder, tmp_path):
    raw, calibrated = tmp_path / "raw.mcap", tmp_path / "calibrated.mcap"
    (folder / "meta.json").write_text('{"magnetometer": "good"}')
    result = waymark("import", folder, raw)
    assert result.returncode == 0 and "warning" in result.stderr and "meta.json: unknown value of magnetometer" in result.stderr
    (folder / "meta.json").write_text('{"magnetometer": "calibrated"}')
    result = waymark("import", folder, calibrated)
    assert result.returncode == 0 and "warning" not in result.stderr, result.stderr
    poses = [waymark("replay", source, "--output", "-").stdout for source in (raw, calibrated, folder)]
    assert poses[0] != poses[1] == poses[2]


def test_a_cut_file_replays_up_to_the_cut_with_a_warning(folder, tmp_path):
    recording = tmp_path / "a.mcap"
    assert waymark("import", folder, recording).returncode == 0
    whole = waymark("replay", recording, "--output", "-").stdout
    recording.write_bytes(recording.read_bytes()[: recording.stat().st_size * 2 // 3])
    result = waymark("replay", recording, "--output", "-")
    assert result.returncode == 0 and "warning" in result.stderr and "at byte" in result.stderr
    assert result.stdout.count("\n") > 200 and whole.startswith(result.stdout)


def test_a_damaged_message_is_left_out_alone_with_a_warning(folder, tmp_path):
    recording = tmp_path / "a.mcap"
    with open(recording, "wb") as file:
        writer = Writer(file)
        writer.start()
        topic = writer.register_channel(topic="/imu/angular_rate", message_encoding="json", schema_id=0)
        force = writer.register_channel(topic="/imu/specific_force", message_encoding="json", schema_id=0)
        for index in range(100):
            time = index * 10_000_000
            if index == 50:
                writer.add_message(channel_id=topic, log_time=time, publish_time=time, data=b'{"time":"nine"}')
            for channel, vector in ((topic, '"x":0,"y":0,"z":0'), (force, '"x":0,"y":9.81,"z":0')):
                data = '{"time":{"sec":1,"nsec":%d},%s}' % (time, vector)
                writer.add_message(channel_id=channel, log_time=time, publish_time=time, data=data.encode())
        writer.finish()
    result = waymark("replay", recording, "--output", "-")
    assert result.returncode == 0 and "/imu/angular_rate is not as it should be" in result.stderr
    assert "1 such message is left out" in result.stderr
    header, *rows = result.stdout.splitlines()
    assert header.startswith("t_s,") and len(rows) == 100 and rows[0].startswith("1.000000000,")


def test_a_file_that_exists_is_left_alone(folder, tmp_path):
    recording = tmp_path / "a.mcap"
    recording.write_text("mine")
    result = waymark("import", folder, recording)
    assert result.returncode == 1 and "exists already" in result.stderr
    assert recording.read_text() == "mine"


def test_a_full_disk_is_an_error_and_leaves_no_file(folder, tmp_path):
    recording = tmp_path / "a.mcap"
    # A limit of 8 blocks of 512 bytes for any file stands for the disk.
    limited = 'ulimit -f 8; exec "$0" import "$1" "$2"'
    result = subprocess.run(
        ["sh", "-c", limited, PROGRAMS / "waymark", folder, recording], capture_output=True, text=True, timeout=60)
    assert result.returncode == 1 and "a.mcap" in result.stderr and "too large" in result.stderr
    assert not recording.exists()


@pytest.mark.parametrize("arguments", [["import"], ["import", "one"], ["import", "one", "two", "three"],
                                       ["replay"], ["replay", "one", "--rate", "nan"], ["replay", "--speed", "one"]])
def test_wrong_usage_is_told_so(arguments):
    result = waymark(*arguments)
    assert result.returncode == 2 and "waymark" in result.stderr


def log_times(recording):
    with open(recording, "rb") as stream:
        reader = make_reader(stream)
        about = {record.name: record.metadata for record in reader.iter_metadata()}["waymark"]
        return about, reader.get_summary().statistics


def test_the_times_of_an_imported_file_are_utc_from_its_beginning_where_a_fix_tells_it(folder, tmp_path):
    assert waymark("import", folder, tmp_path / "boot.mcap").returncode == 0
    about, statistics = log_times(tmp_path / "boot.mcap")
    assert about["log_time"] == "boot" and statistics.message_end_time < 21e9
    table = (folder / "gnss.csv").read_text().splitlines()
    # The first seconds have none.
    rows = [f"{row},{1.78e9 + index if index > 4 else ''}" for index, row in enumerate(table[1:])]
    (folder / "gnss.csv").write_text("\n".join([table[0] + ",utc_s", *rows, ""]))
    assert waymark("import", folder, tmp_path / "utc.mcap").returncode == 0
    about, statistics = log_times(tmp_path / "utc.mcap")
    assert about["log_time"] == "utc" and about["utc_minus_boot_nanoseconds"] == str(1_780_000_000 * 10**9)
    assert 1.78e9 <= statistics.message_start_time * 1e-9 < statistics.message_end_time * 1e-9 < 1.78e9 + 21


@pytest.mark.parametrize("name", [
    "walk_rtk", "broad_02_undisturbed_slow_rotation_B", "indoor20_site1_F1_5dd9e7b29191710006b5705b"])
def test_an_import_is_smaller_than_its_tables(name, tmp_path):
    source = DATA / name
    if not source.is_dir():
        pytest.skip(f"no recording at {source}; set WAYMARK_DATA")
    recording = tmp_path / "a.mcap"
    assert waymark("import", source, recording, timeout=120).returncode == 0
    tables = [path for path in source.iterdir() if path.name.split(".")[0] in ("imu", "mag", "baro", "gnss")]
    plain = sum(len(gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()) for path in tables)
    packed = sum(path.stat().st_size for path in tables)
    size = recording.stat().st_size
    print(f"{name}: {plain} bytes of tables, {packed} as they are packed, {size} as a recording")
    assert size < plain
