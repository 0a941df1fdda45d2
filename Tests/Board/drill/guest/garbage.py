"""Clients that break every rule: noise, half messages, messages without end, other people's descriptors, crowds.

    garbage.py SEED
"""
import json
import random
import socket
import sys
import time

from harness.varlink import SERVICE_SOCKET, CallFailed, Closed, Connection

CROWD = 150
PATIENCE = 150
METHODS = ("Pose.Subscribe", "Scene.SetRoute", "Calibration.Import", "Recording.Start", "No.Such")


def connected():
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(5)
    client.connect(SERVICE_SOCKET)
    return client


def noise(source):
    with connected() as client:
        client.sendall(source.randbytes(source.randrange(1, 4000)) + b"\0")


def half_a_message(source):
    with connected() as client:
        whole = json.dumps({"method": "org.waymark.Pose.GetPose"}).encode()
        client.sendall(whole[:source.randrange(1, len(whole))])


def no_end(source):
    with connected() as client:
        for _ in range(8):
            client.sendall(b"{" * 32768)


def strange_calls(source):
    with connected() as client:
        for value in (None, [], 1e308, "x" * 5000, {"rate": "many"}, {"rate": -1}, {"document": "{" * 500}):
            method = source.choice(METHODS)
            call = {"method": f"org.waymark.{method}", "parameters": value, "more": source.random() < 0.3}
            client.sendall(json.dumps(call).encode() + b"\0")


def descriptors(source):
    with connected() as client, open("/dev/null") as null:
        for _ in range(20):
            socket.send_fds(client, [b'{"method":"org.waymark.Status.GetStatus"}\0'], [null.fileno()] * 8)


def a_crowd(source):
    crowd = []
    try:
        for _ in range(CROWD):
            crowd.append(connected())
            crowd[-1].sendall(b'{"method":"org.waymark.Pose.Subscribe","more":true}\0'[:source.randrange(1, 52)])
    finally:
        for member in crowd:
            member.close()


def main(seed):
    source = random.Random(seed)
    kinds = [noise, noise, half_a_message, no_end, strange_calls, descriptors, a_crowd]
    source.shuffle(kinds)
    for kind in kinds:
        try:
            kind(source)
        except OSError as refused:
            print(kind.__name__, refused)  # being thrown out is as it should be
    # And who behaves is served after all that; one place may still be taken by those who left.
    end = time.monotonic() + PATIENCE
    while True:
        try:
            Connection(SERVICE_SOCKET).call("org.waymark.Status.GetStatus")
            return
        except (OSError, Closed, CallFailed) as failure:
            if time.monotonic() > end:
                sys.exit(f"no client is served any more: {failure}")
        time.sleep(0.3)


main(int(sys.argv[1]))
