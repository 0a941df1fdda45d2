"""The kinds of faults. Each is a generator: it breaks something, yields, makes the world whole again, and checks what
the fault could have damaged. `source` is its own randomness."""
import time

from waymark_interface import RECORDING_STOP

from rig.hub import NAMES, SENSORS
from rig.machine import GuestFailed

from .storage import CutRecording, Writer
from .world import STATE

# Longer than the daemon and gpsd wait before they call a receiver silent.
RECEIVER_SILENCE = 7.0


def daemon_killed(world, source):
    """kill -9 in the middle of confirmed writes and a recording; sometimes again as soon as it is back."""
    recording, writer = CutRecording(world), Writer(world)
    writer.wait_for_some()
    recording.let_pass(source.uniform(1, 3))
    recording.mark_end()
    process = 0
    for _ in range(source.choice((1, 1, 2))):
        process = world.wait_for_process(other_than=process)
        world.run(f"kill -9 {process}", check=False)
    yield
    world.wait_for_process(other_than=process)
    writer.check()
    recording.check()


def daemon_frozen(world, source):
    """SIGSTOP for seconds: buffers overflow, and then it goes on."""
    process = world.wait_for_process()
    world.run(f"kill -STOP {process}; sleep {source.uniform(1, 4):.1f}; kill -CONT {process}", check=False)
    yield


def daemon_stuck(world, source):
    """SIGSTOP for good: systemd's watchdog ends it and starts another one."""
    process = world.wait_for_process()
    world.run(f"kill -STOP {process}", check=False)
    world.wait_for_process(other_than=process)
    yield


def gpsd_killed(world, source):
    world.signal_unit("satellites", "KILL")
    yield
    world.wait_for("systemctl is-active --quiet satellites.service", "gpsd to be back")


def receiver_silent(world, source):
    world.signal_unit("receiver", "STOP")
    time.sleep(RECEIVER_SILENCE + source.uniform(0, 2))
    yield
    world.signal_unit("receiver", "CONT")


def sensor_unplugged(world, source):
    sensor = source.choice(SENSORS)
    world.hub.unplug(sensor)
    time.sleep(source.uniform(0.2, 4))
    yield
    world.hub.plug(sensor)


def all_unplugged(world, source):
    """And plugged in again in another order, so that their numbers change."""
    world.hub.unplug()
    time.sleep(source.uniform(0.2, 4))
    yield
    world.hub.plug(*source.sample(SENSORS, len(SENSORS)))


def clock_stepped(world, source):
    """The system's clock goes wrong by up to a day, and sometimes is set right again."""
    step = source.choice((-1, 1)) * source.choice((2, 60, 3600, 86400))
    world.run(f"date --set=@$(( $(date +%s) + {step} ))")
    yield
    if source.random() < 0.5:
        world.run(f"date --set=@$(( $(date +%s) - {step} ))")


def disk_full(world, source):
    """Nothing can be written, nothing that was is lost; sometimes it is started anew with the disk full."""
    recording = CutRecording(world)
    writer = Writer(world)
    writer.wait_for_some(1)
    world.run(f"head -c 1G /dev/zero >{STATE}/filler", check=False)
    time.sleep(source.uniform(1, 3))
    writer.stop()
    how = source.choice(("stays", "restart", "KILL"))
    if how != "stays":
        process = world.wait_for_process()
        world.run("systemctl restart waymarkd.service" if how == "restart" else f"kill -9 {process}", check=False)
        world.wait_for_process(other_than=process)
    yield
    world.run(f"rm {STATE}/filler")
    writer.check()
    again = Writer(world)
    again.wait_for_some(1)
    again.stop()
    again.check()
    world.call(RECORDING_STOP, check=False)
    recording.check_is_readable()


def readers_stopped(world, source):
    """Subscribers stop reading, others do not notice, and they go on later, unless the daemon they read is gone."""
    process = world.wait_for_process()
    units = [f"reader-{world.units + k}" for k in range(source.choice((1, 3)))]
    world.units += len(units)
    for unit in units:
        world.run(f"systemd-run --quiet --unit={unit} sh -c 'exec waymark watch --json --rate 25 >/run/{unit}'")
        world.wait_for(f"test -s /run/{unit}", "a reader to read")
        world.signal_unit(unit, "STOP")
    world.let_pass(source.uniform(2, 5))
    yield
    for unit in units:
        size = world.run(f"wc -c </run/{unit}").output.strip()
        world.signal_unit(unit, "CONT", check=False)
        if world.wait_for_process() == process:
            world.wait_for(f"test $(wc -c </run/{unit}) -gt {size}", "a reader to go on")
        world.run(f"systemctl stop {unit}.service; rm /run/{unit}", check=False)


def garbage_clients(world, source):
    result = world.run(world.script(["garbage", source.getrandbits(32)]), check=False)
    if result.code:
        raise GuestFailed(result.output)
    yield


def buffer_stolen(world, source):
    """Another program opens a device whose buffer the daemon reads, which stops it."""
    name = NAMES[source.choice(SENSORS)]
    for _ in range(source.choice((1, 3))):
        world.run(f"timeout 10 iio_readdev -u local: -b 2 -s 4 {name} >/dev/null 2>&1", check=False)
    yield


KINDS = {kind.__name__: kind for kind in (
    daemon_killed, daemon_frozen, daemon_stuck, gpsd_killed, receiver_silent, sensor_unplugged, all_unplugged,
    clock_stepped, disk_full, readers_stopped, garbage_clients, buffer_stolen)}
# Both have a writer, and only one at a time can tell what has to be there.
APART = ("daemon_killed", "disk_full")
