"""Drives a service with the test interface through PyPI's varlink package; prints what it got as one JSON object."""

import json
import sys
import threading

import varlink


def main(path: str) -> None:
    seen: dict[str, object] = {}
    client = varlink.Client("unix:" + path)
    with client.open("org.varlink.service") as service:
        information = service.GetInfo()
        seen["product"] = information["product"]
        seen["interfaces"] = information["interfaces"]

    # Parses the description, which it has asked the service for.
    interface = client.get_interface("org.example.test")
    seen["methods"] = sorted(
        name for name, member in interface.members.items() if type(member).__name__ == "_Method"
    )

    with client.open("org.example.test") as test, client.open("org.example.test") as watcher:
        seen["echo"] = test.Echo(text="grüezi", number=7)
        seen["absent"] = test.Echo(text="no number")
        try:
            test.Fill(size=-1)
        except varlink.VarlinkError as error:
            seen["error"] = error.error()
            seen["reason"] = error.parameters()["reason"]
        try:
            test.NotThere()
        except varlink.VarlinkError as error:
            seen["missing"] = error.error()
        test.Echo(text="silent", _oneway=True)

        ticks: list[int] = []

        def watch() -> None:
            for message in watcher.Watch(_more=True):
                if message.get("tick"):
                    ticks.append(message["tick"]["value"])

        thread = threading.Thread(target=watch)
        thread.start()
        while test.Statistics()["streams"] < 1:
            pass
        test.Publish(count=3)
        test.EndStreams(fail=False)
        thread.join(20)
        seen["ticks"] = ticks
    print(json.dumps(seen))


main(sys.argv[1])
