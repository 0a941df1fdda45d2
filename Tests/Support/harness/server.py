"""Servers that tests have in place of real ones."""
import socket
import threading


class Server:
    """Accepts clients on a listening socket, and has each served in a thread of its own until `close`."""

    def __init__(self, listener):
        self.listener = listener
        self.connections = []
        threading.Thread(target=self.accept, daemon=True).start()

    @property
    def port(self):
        return self.listener.getsockname()[1]

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections.append(connection)
            threading.Thread(target=self.serve_until_closed, args=[connection], daemon=True).start()

    def serve_until_closed(self, connection):
        try:
            self.serve(connection)
        except OSError:
            # The client, or the test, has hung up.
            pass

    def serve(self, connection):
        """Talks to one client; hangs up where that is wanted."""
        raise NotImplementedError

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        # Without this a thread in accept() keeps the port.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for connection in self.connections:
            connection.close()


def local_listener():
    """On a free port of this machine."""
    return socket.create_server(("127.0.0.1", 0))


def unix_listener(path):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen(16)
    return listener


class RawServer(Server):
    """Sends bytes to each client that has called, and hangs up or waits until the client does."""

    def __init__(self, path, data, hangs_up=False):
        self.data, self.hangs_up = data, hangs_up
        super().__init__(unix_listener(path))

    def serve(self, connection):
        with connection:
            received = b""
            while b"\0" not in received:
                received += connection.recv(65536)
            connection.sendall(self.data)
            while not self.hangs_up and connection.recv(65536):
                pass


def free_port():
    with local_listener() as listener:
        return listener.getsockname()[1]
