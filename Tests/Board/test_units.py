"""The daemon under its units: everything that it does has to work inside of the sandbox that they put around it."""
import json
import re
import shutil

import pytest

from harness.fleet import Fleet
from harness.paths import SUPPORT
from harness.poses import check_order
from harness.rights import METHODS, flaws
from harness.varlink import SERVICE_SOCKET
from rig import apparmor
from rig.hub import SLOW_RATES
from rig.service import PATIENT, Service

STATE = "/var/lib/waymark"


@pytest.fixture(scope="module")
def service(board):
    """The service of a board whose sensors lie still; each test leaves it with all of them streaming."""
    board.hub.rest(**SLOW_RATES)
    board.plug_sensors()
    running = Service(board)
    running.wait_until_active()
    running.wait_for_streams()
    return running


def calibrate_gyroscope(service):
    """Half a minute of rest that the guest has anyway; what is active then."""
    # A guest that stands still for a second lets its sensors fall silent, and a calibration rightly refuses that.
    service.board.wait_for(
        lambda: service.board.run("waymark calibrate gyro </dev/null", timeout=600, check=False).code == 0,
        timeout=900, what="a calibration without a silence")
    return service.waymark("calibrate", "show").output


@pytest.fixture(scope="module")
def calibrated(service):
    """The service with a calibration that it made itself, and what `waymark calibrate show` says of it."""
    return service, calibrate_gyroscope(service)


def confinement(service, unit):
    return apparmor.confinement(service.board, service.value("MainPID", unit))


def test_systemd_has_nothing_to_say_against_the_installed_units(service):
    units = "waymarkd.service waymark.socket waymark-hrtimer.service waymark-bridge.service waymark-mqtt.service "
    units += "waymark-serve.service"
    assert service.board.run(f"systemd-analyze --man=no verify {units} 2>&1", check=False).output == ""


def test_without_the_kernels_timers_their_helper_is_skipped_and_the_daemon_runs(service):
    # Debian 12's kernel is built without CONFIG_IIO_HRTIMER_TRIGGER.
    assert service.value("ConditionResult", "waymark-hrtimer.service") == "no"
    assert service.value("ActiveState", "waymark-hrtimer.service") == "inactive"
    assert service.is_active


def test_the_helper_makes_its_triggers_inside_of_its_sandbox(service):
    # In place of the kernel's configfs, which this kernel has without IIO's part: test_timers.py has the real one.
    folder = "/sys/kernel/config/iio/triggers/hrtimer"
    run = service.board.run
    run(f"modprobe configfs; mount -t tmpfs tmpfs /sys/kernel/config && mkdir -p {folder}")
    try:
        run("systemctl restart waymark-hrtimer.service")
        kinds = ("accelerometer", "barometer", "gyroscope", "magnetometer")
        assert run(f"ls {folder}").output.split() == [f"waymark-{kind}" for kind in kinds]
        run("systemctl restart waymark-hrtimer.service")
        run("systemctl stop waymark-hrtimer.service")
        assert run(f"ls {folder}").output == ""
    finally:
        run("systemctl stop waymark-hrtimer.service; umount /sys/kernel/config", check=False)


def test_the_service_runs_as_a_user_of_its_own_without_any_privilege(service):
    status = service.board.run(f"cat /proc/{service.value('MainPID')}/status").output
    user = service.board.run("id -u waymark").output.strip()
    assert re.search(rf"^Uid:(\s+{user}){{4}}$", status, re.MULTILINE)
    for line in (r"CapEff:\s+0+", r"CapBnd:\s+0+", r"NoNewPrivs:\s+1", r"Seccomp:\s+2"):
        assert re.search(rf"^{line}$", status, re.MULTILINE), line
    assert confinement(service, "waymarkd.service") == "waymarkd (enforce)"


# What the user `waymark` may do where no profile forbids it.
ATTEMPTS = {
    "settings": ": </etc/waymark/waymark.toml", "state": f": <{STATE}/lock",
    # Debian 13's libiio finds no sensor where it may not look for those of temperature.
    "thermometers": ": </sys/class/hwmon",
    "file of others": ": </etc/fstab", "temporary file": ": >/tmp/trespass", "program": "/bin/true"}


def test_the_profiles_forbid_what_is_not_the_services_business(service):
    def permitted(profile):
        found = apparmor.permitted(service.board, "waymark", profile, ATTEMPTS.values())
        return [name for name, attempt in ATTEMPTS.items() if attempt in found]

    assert permitted("unconfined") == list(ATTEMPTS)
    assert permitted("waymarkd") == ["settings", "state", "thermometers"]
    for profile in ("waymark-bridge", "waymark-serve", "waymark-mqtt", "waymark-navigator"):
        assert permitted(profile) == ["settings"], profile


def test_poses_come(service):
    check_order(service.poses(3))


def test_the_group_and_no_other_account_may_read_poses(service):
    def status(*, groups):
        return service.board.run(
            f"setpriv --reuid 65534 --regid 65534 {groups} waymark status 2>&1", check=False)

    member = status(groups="--groups waymark")
    assert member.code == 0 and member.output.startswith("waymarkd ")
    other = status(groups="--clear-groups")
    assert other.code == 3 and "usermod -aG waymark" in other.output


def test_a_client_records_into_a_file_of_its_own_and_the_daemon_into_its_state(service):
    service.board.run("rm -f /tmp/walk.mcap && waymark record /tmp/walk.mcap --duration 2")
    assert service.board.run("head -c 5 /tmp/walk.mcap | tail -c 4").output == "MCAP"
    service.setting("[recording]\nat_start = true\nminimum_free_megabytes = 0\n")
    service.restart()
    service.setting("")
    service.restart()
    owners = service.board.run(f"stat -c '%U %G %a' {STATE} {STATE}/recordings/*.mcap").output.splitlines()
    assert owners == ["waymark waymark 700", "waymark waymark 600"]


def test_places_are_exchanged_by_files_of_a_client_in_a_home_that_the_daemon_cannot_enter(service):
    run = service.board.run
    run("install -d -m 700 /home/ada && cp /usr/share/doc/waymark/examples/town.geojson /home/ada")
    run("waymark places import /home/ada/town.geojson && waymark places export /home/ada/places.geojson")
    assert "town/tower-cafe" in run("cat /home/ada/places.geojson; rm -r /home/ada").output


def test_a_calibration_is_kept_in_the_state(calibrated):
    service, shown = calibrated
    assert re.search(r"^gyroscope +gyro_3d +yes", shown, re.MULTILINE), shown
    names = service.board.run(f"ls {STATE}/calibration").output
    assert re.fullmatch(r"gyro_3d-\w+\.json\n", names)


def test_a_reload_takes_new_settings_and_keeps_the_old_ones_when_they_are_bad(service):
    process = service.value("MainPID")

    def reload(text, expected):
        mark = service.mark()
        service.setting(text)
        service.board.run("systemctl reload waymarkd")
        service.board.wait_for(
            lambda: any(expected in line for line in service.journal(mark)),
            what=lambda: f"{expected}; {service.journal(mark)}")
        service.wait_until_active()
        return service.journal(mark)

    reload("[pose]\ndefault_rate_hz = 30\n", "configuration reloaded")
    lines = reload("[pose]\ndefault_rate_hz = 3000\n", "reload failed")
    assert any("test.toml:2" in line and "pose.default_rate_hz" in line for line in lines)
    reload("", "configuration reloaded")
    assert service.value("MainPID") == process
    assert service.poses(1)


def test_a_daemon_that_hangs_is_killed_and_comes_back_with_what_it_knew(calibrated):
    service, _ = calibrated
    # As a board has it.
    service.drop_in("patient", "")
    service.board.run("systemctl restart waymarkd.service", timeout=600)
    mark = service.mark()
    # On a busy machine systemd may be ahead of this test, and no process may be there for a moment.
    service.board.wait_for(lambda: service.value("MainPID") != "0", what="the daemon has a process")
    service.board.run(f"kill -STOP {service.value('MainPID')}", check=False)
    log = f"journalctl --no-pager -o cat --after-cursor='{mark}'"
    service.board.wait_for(
        lambda: "Watchdog timeout" in service.board.run(log, check=False).output, what="the watchdog sees it")
    service.drop_in("patient", PATIENT)
    service.restart()
    assert service.poses(1)
    assert re.search(r"^gyroscope +gyro_3d +yes", service.waymark("calibrate", "show").output, re.MULTILINE)


def test_a_daemon_that_is_killed_comes_back(service):
    restarts = int(service.value("NRestarts"))
    service.board.run(f"kill -KILL {service.value('MainPID')}")
    service.board.wait_for(lambda: int(service.value("NRestarts")) > restarts, what="systemd restarts it")
    service.wait_for_streams()
    assert service.poses(1)


def test_a_stop_is_clean_leaves_the_socket_and_the_next_client_starts_it(calibrated):
    service, _ = calibrated
    service.board.run("systemctl stop waymarkd.service 2>/dev/null")
    assert (service.value("Result"), service.value("ExecMainStatus")) == ("success", "0")
    assert service.journal()[-1] == "stopped"
    assert service.board.run("stat -c '%U %G %a' /run/waymark/waymark.sock").output == "root waymark 660\n"
    assert service.waymark("status").output.startswith("waymarkd ")
    service.wait_for_streams()
    status = service.waymark("status").output
    assert re.search(r"^calibrated gyroscope", status, re.MULTILINE), status


def test_a_broken_configuration_is_named_and_not_tried_again(service):
    mark = service.mark()
    service.setting("[pose\n")
    service.board.run("systemctl restart waymarkd", check=False)
    assert service.value("ExecMainStatus") == "78"
    assert service.value("ActiveState") == "failed"
    assert any("test.toml:1" in line for line in service.journal(mark))
    service.setting("")
    service.board.run("systemctl start waymarkd")
    service.wait_for_streams()


def test_as_many_clients_as_the_settings_allow_may_have_their_descriptors(service):
    service.setting("[service]\nmax_clients = 4096\n")
    mark = service.mark()
    service.restart()
    assert not [line for line in service.journal(mark) if "LimitNOFILE" in line]
    service.setting("")
    service.restart()


def receiver(service):
    return service.devices()["GNSS receiver"].get("detail", "")


def test_gpsd_on_this_computer_is_reached_and_elsewhere_only_where_a_drop_in_allows_it(service):
    service.board.run("printf 'GPSD_OPTIONS=-n\\nDEVICES=\\nUSBAUTO=false\\n' >/etc/default/gpsd")
    service.board.run("systemctl start gpsd.socket")
    service.board.wait_for(lambda: "has no receiver" in receiver(service), what=lambda: receiver(service))
    # The guest has no other network: its own addresses stand for one that is not allowed, and then is.
    for drop_in, expected in (("IPAddressAllow=", "does not respond"),
                              ("IPAddressAllow=\nIPAddressAllow=127.0.0.1", "has no receiver")):
        service.drop_in("addresses", f"[Service]\n{drop_in}\n")
        service.restart()
        service.board.wait_for(lambda: expected in receiver(service), what=lambda: receiver(service))
    service.drop_in("addresses", "")
    service.board.run("systemctl stop gpsd.socket gpsd.service")
    service.restart()


def test_sensors_of_a_server_are_read(service):
    for part in SUPPORT.glob("iiod_emulator*.py"):
        shutil.copy(part, service.board.share)
    # A server that fails leaves no unit of its name behind, for a repeated test.
    service.board.run("systemd-run --collect --unit=server python3 /job/iiod_emulator.py --port 30431 --preset board")
    service.setting("[iio]\ncontext = \"ip:127.0.0.1\"\n")
    service.board.run("systemctl restart waymarkd")
    service.wait_for_devices(lambda devices: any(
        device["state"] == "streaming" and name not in ("accel_3d", "gyro_3d", "magn_3d", "GNSS receiver")
        for name, device in devices.items()))
    service.setting("")
    service.board.run("systemctl stop server.service")
    service.restart()


# In the guest, by Python's own library: what the bridge and the page say.
ASKING = """import json, socket, sys, urllib.request
with socket.create_connection(("127.0.0.1", 2948), 60) as gpsd:
    gpsd.sendall(b'?WATCH={"enable":true,"json":true};')
    classes = set()
    for line in gpsd.makefile():
        classes.add(json.loads(line)["class"])
        if "TPV" in classes:
            break
for url in ("http://127.0.0.1:9482/metrics", "http://127.0.0.1:8765/"):
    with urllib.request.urlopen(url, timeout=60) as answer:
        print(url, answer.status, b"waymark" in answer.read(100_000).lower())
page, token = open("/run/waymark-serve/address").read().strip().split("?")
for query in ("", "?" + token):
    try:
        urllib.request.urlopen(page + "varlink" + query, timeout=60)
    except urllib.error.HTTPError as error:
        print("varlink", error.code)
"""
# The daemon's protocol is refused without the token (403), and with it needs a WebSocket (426).
ANSWERS = ["http://127.0.0.1:9482/metrics 200 True", "http://127.0.0.1:8765/ 200 True", "varlink 403", "varlink 426"]
# All that the bridge has.
OUTPUTS = """[bridge]
gpsd = "127.0.0.1:2948"
nmea_tcp = "127.0.0.1:2949"
nmea_socket = "/run/waymark-bridge/nmea.sock"
nmea_terminal = "/run/waymark-bridge/nmea"
opentrack = "127.0.0.1:4242"
mavlink = "udp:127.0.0.1:14550"
metrics = "127.0.0.1:9482"
sensor_proxy = true
"""
CLIENTS = ("waymark-bridge.service", "waymark-serve.service")


@pytest.fixture(scope="module")
def clients(service):
    """The units of the bridge and the page, beside the daemon."""
    (service.board.share / "asking.py").write_text(ASKING)
    (service.board.share / "drop-in").write_text(PATIENT)
    for unit in CLIENTS:
        folder = f"/etc/systemd/system/{unit}.d"
        service.board.run(f"mkdir -p {folder} && cp /job/drop-in {folder}/patient.conf")
    service.board.run("systemctl daemon-reload")
    service.setting(OUTPUTS)
    service.board.run(["systemctl", "start", *CLIENTS], timeout=600)
    yield service
    service.board.run(["systemctl", "stop", *CLIENTS], timeout=600)
    service.setting("")
    service.restart()


def wait_for_answers(service):
    def answers():
        return service.board.run("python3 /job/asking.py 2>&1", check=False, timeout=300).output.splitlines()
    service.board.wait_for(lambda: answers() == ANSWERS, what=answers)


def test_bridge_and_page_serve_from_their_sandboxes(clients):
    wait_for_answers(clients)
    for unit in CLIENTS:
        pid = clients.value("MainPID", unit)
        status = clients.board.run(f"cat /proc/{pid}/status").output
        assert re.search(r"^CapEff:\s+0+$", status, re.MULTILINE) and re.search(r"^NoNewPrivs:\s+1$", status, re.MULTILINE)
        assert int(clients.value("MemoryCurrent", unit)) < int(clients.value("MemoryHigh", unit))
        assert confinement(clients, unit) == f"{unit.removesuffix('.service')} (enforce)"


# Connects as one user until it is refused, and then as root; the number that were served, and whether root was.
GREEDY = """import itertools, os, socket
held = []

def is_served():
    held.append(socket.create_connection(("127.0.0.1", 2949), timeout=60))
    try:
        return held[-1].recv(1) != b""
    except ConnectionResetError:
        return False

os.seteuid(64001)
number = next(number for number in itertools.count() if not is_served())
os.seteuid(0)
print(number, is_served())
"""


def test_the_bridge_learns_the_users_of_its_clients_over_tcp_in_its_sandbox(clients):
    (clients.board.share / "greedy.py").write_text(GREEDY)
    assert clients.board.run("python3 /job/greedy.py", timeout=300).output.strip() == "48 True"


def test_a_profile_only_reports_in_complain_mode_and_without_it_the_unit_starts_unconfined(clients):
    board, profile, unit = clients.board, "waymark-serve", "waymark-serve.service"
    apparmor.load(board, profile, mode="--Complain")
    assert confinement(clients, unit) == "waymark-serve (complain)"
    apparmor.unload(board, profile)
    board.run(f"systemctl restart {unit}", timeout=600)
    assert confinement(clients, unit) == "unconfined"
    apparmor.load(board, profile)
    board.run(f"systemctl restart {unit}", timeout=600)
    assert confinement(clients, unit) == "waymark-serve (enforce)"


def test_the_bridge_serves_files_and_desktops_from_its_sandbox(clients):
    clients.board.run("test -S /run/waymark-bridge/nmea.sock && test -c /run/waymark-bridge/nmea")
    clients.board.wait_for(
        "busctl get-property net.hadess.SensorProxy /net/hadess/SensorProxy net.hadess.SensorProxy HasAccelerometer "
        "| grep -x 'b true'")


def rights_of(service, unit):
    """Numbers with which a process of the unit runs, as arguments of setpriv."""
    status = service.board.run(f"cat /proc/{service.value('MainPID', unit)}/status").output
    [user], [group] = (re.findall(rf"^{name}:\t(\d+)", status, re.MULTILINE) for name in ("Uid", "Gid"))
    [groups] = re.findall(r"^Groups:\t([\d ]*)", status, re.MULTILINE)
    return f"--reuid {user} --regid {group} --groups {','.join(groups.split())}"


# What the daemon's own user could do, each with the program that tries it.
FORBIDDEN = {
    "its state": f"ls {STATE}",
    "its memory": "dd if=/proc/$DAEMON/mem bs=1 count=1 skip=$((0x400000)) iflag=skip_bytes",
    "its descriptors": "ls /proc/$DAEMON/fd/",
    "its end": "kill -0 $DAEMON",
    "its sensors": "cat /dev/iio:device0",
}


def test_the_token_of_the_page_is_readable_by_readers_of_poses_alone(clients):
    address = "cat /run/waymark-serve/address 2>&1"
    [entry] = clients.board.run("stat -Lc '%a %G' /run/waymark-serve/address").output.splitlines()
    assert entry == "640 waymark"
    reader = clients.board.run(f"setpriv --reuid 65534 --regid 65534 --groups $(getent group waymark | cut -d: -f3) {address}")
    assert "?token=" in reader.output
    other = clients.board.run(f"setpriv --reuid 65534 --regid 65534 --clear-groups {address}", check=False)
    assert other.code != 0 and "denied" in other.output
    for command in ("systemctl status waymark-serve", "journalctl -b -u waymark-serve --no-pager"):
        assert "?token=" not in clients.board.run(command).output


@pytest.mark.parametrize("unit", CLIENTS)
def test_the_users_of_bridge_and_page_may_read_what_readers_may_and_nothing_else(clients, unit):
    rights = rights_of(clients, unit)
    shutil.copy(SUPPORT / "harness/rights.py", clients.board.share)
    calls = f"python3 /job/rights.py {SERVICE_SOCKET} {' '.join(METHODS)}"
    done = clients.board.run(f"setpriv {rights} {calls}", timeout=900)
    assert flaws("reader", json.loads(done.output)) == {}
    daemon = clients.value("MainPID")
    for what, command in FORBIDDEN.items():
        tried = clients.board.run(f"DAEMON={daemon}; setpriv {rights} sh -c '{command.replace('$DAEMON', daemon)}' 2>&1", check=False)
        assert tried.code != 0 and re.search("[Pp]ermi|denied", tried.output), (what, tried)


def test_the_daemons_memory_is_closed_to_other_processes_of_its_user(clients):
    daemon = clients.value("MainPID")
    tried = clients.board.run(
        f"setpriv --reuid waymark --regid waymark --clear-groups ls /proc/{daemon}/fd/ 2>&1", check=False)
    assert tried.code != 0 and "denied" in tried.output


def test_bridge_and_page_that_are_killed_come_back_and_take_nothing_with_them(clients):
    daemon = clients.value("MainPID")
    for unit in CLIENTS:
        pid = clients.value("MainPID", unit)
        clients.board.run(f"systemctl kill --signal=KILL {unit}")
        clients.board.wait_for(
            lambda: clients.value("ActiveState", unit) == "active" and clients.value("MainPID", unit) != pid,
            what=f"{unit} is back")
    wait_for_answers(clients)
    assert clients.value("MainPID") == daemon


def test_bridge_and_page_go_on_when_the_daemon_is_restarted(clients):
    pids = [clients.value("MainPID", unit) for unit in CLIENTS]
    clients.restart()
    wait_for_answers(clients)
    assert [clients.value("MainPID", unit) for unit in CLIENTS] == pids


def test_wrong_settings_of_bridge_and_page_are_named_and_not_tried_again(clients):
    clients.setting('[serve]\nhttp = "0.0.0.0:8765"\n')
    clients.board.run(["systemctl", "restart", *CLIENTS], check=False, timeout=600)
    for unit, text in zip(CLIENTS, ("no output is turned on", "reachable from other computers")):
        clients.board.wait_for(lambda: clients.value("ActiveState", unit) == "failed", what=f"{unit} has failed")
        assert text in clients.board.run(f"journalctl -b -u {unit} --no-pager").output
        clients.board.run(f"systemctl reset-failed {unit}")
    clients.setting("")


def test_the_journal_has_a_line_for_each_change_and_none_of_a_library(service):
    lines = service.journal()
    assert lines, "the daemon has said something"
    repeated = [line for line, next in zip(lines, lines[1:]) if line == next]
    assert repeated == []
    assert [line for line in lines if re.search(r"(?i)\blibrary\b|libiio|^(error|warning|debug):", line)] == []
    # The text of a line is its own: priorities are journald's, times are not written twice.
    assert [line for line in lines if re.match(r"<\d>|\d\d:\d\d", line)] == []


def test_the_service_stays_within_its_memory(service):
    assert int(service.value("MemoryHigh")) > 0
    group = service.value("ControlGroup")
    events = dict(line.split() for line in service.board.run(f"cat /sys/fs/cgroup{group}/memory.events").output.splitlines())
    assert events["high"] == events["max"] == "0", "it was never held to its limits"


# Debian's mosquitto on the loopback interface: by TLS for a wearer with a certificate, and for every reader.
BROKER = """allow_anonymous true
listener 1883 127.0.0.1
listener 8883 127.0.0.1
cafile /etc/mosquitto/certs/client-authority.pem
certfile /etc/mosquitto/certs/broker.pem
keyfile /etc/mosquitto/certs/broker.key
require_certificate true
"""
# Of the credential store, by their names: where they lie among the certificates of the fleet.
CREDENTIALS = {
    "authority": "broker-authority.pem", "certificate": "clients/ada.pem", "key": "clients/ada.key", "username": "name"}
MQTT = "waymark-mqtt.service"
QUEUE = "/var/lib/private/waymark-mqtt/queue.sqlite"


@pytest.fixture(scope="module")
def publishing(service):
    """The unit that publishes at a broker, with all that it needs for that from the credential store."""
    run = service.board.run
    fleet = Fleet(service.board.share / "fleet", clients=["ada"]).folder
    (fleet / "name").write_text("ada\n")
    (fleet / "broker.conf").write_text(BROKER)
    run("cd /job/fleet && cp broker.conf /etc/mosquitto/conf.d && install -o mosquitto -m 600 "
        "client-authority.pem brokers/broker.* /etc/mosquitto/certs")
    run("install -d -m 700 /etc/credstore && cd /job/fleet && " + " && ".join(
        f"install -m 600 {file} /etc/credstore/waymark-mqtt.{name}" for name, file in CREDENTIALS.items()))
    (service.board.share / "drop-in").write_text(PATIENT)
    run(f"mkdir -p /etc/systemd/system/{MQTT}.d && cp /job/drop-in /etc/systemd/system/{MQTT}.d/patient.conf")
    service.setting('[mqtt]\npublish = true\nbrokers = "mqtts://127.0.0.1"\nid = "ada"\nhealth_interval_s = 5\n')
    run("systemctl daemon-reload && systemctl start mosquitto.service")
    run(["systemctl", "start", MQTT], timeout=600)
    yield service
    run(f"systemctl stop {MQTT} mosquitto.service; rm -rf /etc/credstore", timeout=600, check=False)
    service.setting("")
    service.restart()


def published(service, topic):
    """A message of the topic that is published from now on, or was kept."""
    return service.board.run(f"mosquitto_sub -t waymark/ada/{topic} -C 1 -W 120", timeout=600).output


def test_a_wearer_is_published_from_a_sandbox_by_a_user_who_exists_only_then(publishing):
    # Without a receiver the board has no position, and so publishes no pose.
    assert '"online":true' in published(publishing, "state")
    assert '"name":"gyro_3d"' in published(publishing, "health")
    status = publishing.board.run(f"cat /proc/{publishing.value('MainPID', MQTT)}/status").output
    user = int(re.search(r"^Uid:\s+(\d+)", status, re.MULTILINE).group(1))
    assert 61184 <= user <= 65519 and user != int(publishing.board.run("id -u waymark").output)
    for line in (r"CapEff:\s+0+", r"NoNewPrivs:\s+1", r"Seccomp:\s+2"):
        assert re.search(rf"^{line}$", status, re.MULTILINE), line
    assert confinement(publishing, MQTT) == "waymark-mqtt (enforce)"
    assert publishing.board.run(f"stat -c '%u %a' {QUEUE}").output.split() == [str(user), "600"]
    assert int(publishing.value("MemoryCurrent", MQTT)) < int(publishing.value("MemoryHigh", MQTT))


def test_the_credentials_of_the_store_reach_the_broker(publishing):
    assert "u'ada'" in publishing.board.run("cat /var/log/mosquitto/mosquitto.log").output


def test_a_wearers_program_that_is_killed_comes_back_with_its_queue(publishing):
    pid = publishing.value("MainPID", MQTT)
    publishing.board.run(f"systemctl kill --signal=KILL {MQTT}")
    publishing.board.wait_for(
        lambda: publishing.value("ActiveState", MQTT) == "active" and publishing.value("MainPID", MQTT) != pid,
        what=f"{MQTT} is back")
    assert '"connections":1' in published(publishing, "health")


def test_without_the_wearers_consent_the_program_is_not_tried_again(publishing):
    publishing.setting("")
    publishing.board.run(["systemctl", "restart", MQTT], check=False, timeout=600)
    publishing.board.wait_for(lambda: publishing.value("ActiveState", MQTT) == "failed", what=f"{MQTT} has failed")
    assert "set mqtt.publish = true" in publishing.board.run(f"journalctl -b -u {MQTT} --no-pager").output
    publishing.board.run(f"systemctl reset-failed {MQTT}")
