"""The daemon on Debian 13's kernel, whose AppArmor is not that of Debian 12's."""
from rig.apparmor import confinement
from rig.hub import SLOW_RATES
from rig.service import Service


def test_the_daemon_reads_sensors_and_records_into_a_clients_file_under_its_profile(newer_board):
    newer_board.hub.rest(**SLOW_RATES)
    newer_board.plug_sensors()
    service = Service(newer_board)
    service.wait_until_active()
    service.wait_for_streams()
    assert confinement(newer_board, service.value("MainPID")) == "waymarkd (enforce)"
    newer_board.run("waymark record /tmp/walk.mcap --duration 1")
    assert newer_board.run("head -c 5 /tmp/walk.mcap | tail -c 4").output == "MCAP"
