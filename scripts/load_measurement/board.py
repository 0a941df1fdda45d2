"""A daemon on made-up IIO sensors and a fed gpsd, on 127.0.0.1."""
import json, os, selectors, signal, socket, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SUPPORT = os.path.join(ROOT, "Tests", "Support")
DEVICE_FILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "device_files.c")
# Of the walk: degrees, degrees, metres.
ORIGIN = ("48.1", "11.5", "566")


def start(command, **options):
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **options)


def port(process):
    words = process.stdout.readline().split()
    if words[:1] != ["port"]:
        sys.exit(f"daemon-load: {process.args[1]} did not start: {' '.join(words)}")
    return int(words[1])


class Board:
    """Processes of one measurement; ends all that it started.

    With `is_local`, libiio reads device files instead of a server; needs cc. `measured` may prepare another waymarkd in a
    folder, which is then run, and say where the program itself is.
    """

    def __init__(self, programs, measured=None, is_local=False):
        self.programs, self.prepare, self.measured, self.is_local = programs, measured, None, is_local

    def __enter__(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="waymark-load.")
        self.folder = self.temporary.name
        self.processes = []
        self.path = os.path.join(self.folder, "waymark.sock")
        self.ring = os.path.join(self.folder, "pose-ring.sock")
        # Stamp of each sample, and when it was sent.
        self.sent = os.path.join(self.folder, "sent")
        self.files = os.path.join(self.folder, "iio")
        try:
            self.begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def begin(self):
        programs = self.programs
        if self.prepare:
            programs = os.path.join(self.folder, "measured")
            self.measured = self.prepare(self.programs, programs)
        context = self.begin_sensors()
        receiver = self.start(
            [sys.executable, os.path.join(SUPPORT, "gpsd_feed.py"), "--walk", "1.3", "40", "--origin", *ORIGIN])
        settings = os.path.join(self.folder, "waymark.toml")
        with open(settings, "w") as file:
            file.write(
                f'[service]\nsocket = "{self.path}"\npose_ring_socket = "{self.ring}"\n'
                f'socket_group = ""\nchange_group = ""\n'
                f'max_clients = 1024\nmax_subscriptions = 1024\n'
                f'[iio]\ncontext = "{context}"\n'
                f'[gnss]\nhost = "127.0.0.1"\nport = {port(receiver)}\n[state]\ndirectory = "{self.folder}"\n'
                '[power]\nidle_after_seconds = 1\n')
        log = open(os.path.join(self.folder, "log"), "w")
        self.daemon = self.start(
            [os.path.join(programs, "waymarkd"), "--config", settings], stderr=log,
            env={**os.environ, **self.redirection()})

    def begin_sensors(self):
        """Starts the sensors; the context by which libiio finds them."""
        options = ["--preset", "combined", "--sent", self.sent]
        if not self.is_local:
            server = self.start([sys.executable, os.path.join(SUPPORT, "iiod_emulator.py"), *options])
            return f"ip:127.0.0.1:{port(server)}"
        self.library = os.path.join(self.folder, "device_files.so")
        subprocess.run(["cc", "-O2", "-Wall", "-shared", "-fPIC", "-o", self.library, DEVICE_FILES], check=True)
        files = self.start([sys.executable, os.path.join(SUPPORT, "iio_files.py"), self.library, self.files, *options])
        if files.stdout.readline() != "ready\n":
            sys.exit("daemon-load: iio_files.py did not start")
        return "local:"

    def redirection(self):
        """Environment of a program that finds the sensors' files."""
        return {"LD_PRELOAD": self.library, "WAYMARK_IIO_FILES": self.files} if self.is_local else {}

    def start(self, command, **options):
        self.processes.append(start(command, **options))
        return self.processes[-1]

    def __exit__(self, *_):
        for process in reversed(self.processes):
            self.end(process)
        self.temporary.cleanup()

    def end(self, process):
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def end_daemon(self):
        self.end(self.daemon)

    def connect(self, deadline=20):
        end = time.monotonic() + deadline
        while True:
            client = socket.socket(socket.AF_UNIX)
            try:
                client.connect(self.path)
                return client
            except OSError:
                client.close()
                if time.monotonic() > end:
                    sys.exit("daemon-load: the daemon does not answer")
                time.sleep(0.1)

    def subscribe(self, rate, topic="Pose"):
        client = self.connect()
        call = {"method": f"org.waymark.{topic}.Subscribe", "parameters": {"rate": rate}, "more": True}
        client.sendall(json.dumps(call).encode() + b"\0")
        return client

    def call(self, method, parameters=None):
        """The parameters of the reply."""
        with self.connect() as client:
            client.sendall(json.dumps({"method": method, "parameters": parameters or {}}).encode() + b"\0")
            reply = b""
            while not reply.endswith(b"\0"):
                reply += client.recv(65536)
        document = json.loads(reply[:-1])
        if "error" in document:
            raise RuntimeError(f"daemon-load: {method}: {document}")
        return document["parameters"]

    def status(self):
        return self.call("org.waymark.Status.GetStatus")["status"]


def drain(clients, seconds, size=None):
    """Reads what comes for so long; the number of messages, which end with a zero or have a size."""
    messages, end = 0, time.monotonic() + seconds
    with selectors.DefaultSelector() as selector:
        for client in clients:
            selector.register(client, selectors.EVENT_READ)
        while (left := end - time.monotonic()) > 0:
            for key, _ in selector.select(left):
                data = key.fileobj.recv(65536)
                if not data:
                    sys.exit("daemon-load: the daemon closed a subscriber")
                messages += len(data) / size if size else data.count(0)
    return messages
