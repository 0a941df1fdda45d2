import Glibc
import Linux
import Configuration
import TestTools
import Testing

@Suite(.serialized) struct ServiceManagerTests {
    @Test("a listener handed over by the service manager takes connections, and its path stays")
    func activation() throws {
        let directory = ScratchFolder()
        let path = directory.path + "/socket"
        let original = try UnixListener(path: path, mode: 0o600)
        let listener = try SocketActivation.adopt(dup(original.descriptor))
        let client = try UnixStream.connect(path: path, until: nil)
        #expect(try listener.accept() != nil)
        #expect(try listener.accept() == nil)
        // Not ours to remove: the service manager made it.
        listener.close()
        #expect(access(path, F_OK) == 0)
        withExtendedLifetime((original, client)) {}
    }

    @Test("a descriptor that is no listening socket is refused, and stays open for its owner")
    func activationWithOthers() throws {
        let (left, right) = try UnixStream.pair()
        let file = open("/dev/null", O_RDONLY)
        for descriptor in [left.descriptor, file] {
            #expect(throws: SystemError.self) { _ = try SocketActivation.adopt(descriptor) }
            #expect(fcntl(descriptor, F_GETFD) >= 0)
        }
        close(file)
        withExtendedLifetime((left, right)) {}
    }

    @Test("without a service manager there are no listeners, no watchdog, and notes go nowhere")
    func alone() async {
        await #expect(processExitsWith: .success) {
            reporting {
                for name in ["LISTEN_PID", "LISTEN_FDS", "NOTIFY_SOCKET", "WATCHDOG_USEC"] { unsetenv(name) }
                let listeners = try SocketActivation.takeListeners()
                demand(listeners.isEmpty)
                let notifier = ServiceNotifier()
                demand(notifier.watchdogInterval == nil)
                notifier.ready(status: "not received")
            }
        }
    }

    @Test("the service manager is notified of each state, with the status on one line")
    func notifications() async {
        await #expect(processExitsWith: .success) {
            reporting {
                let path = "/tmp/waymark-notify-\(getpid()).sock"
                let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
                var address = sockaddr_un()
                address.sun_family = sa_family_t(AF_UNIX)
                withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
                let size = socklen_t(MemoryLayout<sockaddr_un>.size)
                let bound = withUnsafePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) }
                }
                demand(bound == 0)
                setenv("NOTIFY_SOCKET", path, 1)
                setenv("WATCHDOG_USEC", "2000000", 1)
                setenv("WATCHDOG_PID", "\(getpid())", 1)

                let notifier = ServiceNotifier()
                demand(notifier.watchdogInterval == 2_000_000_000)
                notifier.ready(status: "two\nlines")
                notifier.watchdog()
                notifier.reloading()
                notifier.stopping()
                var messages: [String] = []
                for _ in 0..<4 {
                    var buffer = [UInt8](repeating: 0, count: 512)
                    let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
                    demand(count > 0)
                    messages.append(String(decoding: buffer.prefix(count), as: UTF8.self))
                }
                unlink(path)
                demand(messages[0] == "READY=1\nSTATUS=two lines")
                demand(messages[1] == "WATCHDOG=1")
                demand(messages[2].hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
                demand(messages[3] == "STOPPING=1")
            }
        }
    }
}

@Suite struct LogLimiterTests {
    @Test("an interval lets its lines through, and the next one reports the rest")
    func limit() {
        let limiter = LogLimiter("test", lines: 2, interval: 100)
        #expect(limiter.admit(at: 0) == (true, 0))
        #expect(limiter.admit(at: 1) == (true, 0))
        #expect(limiter.admit(at: 2) == (false, 0))
        #expect(limiter.admit(at: 99) == (false, 0))
        #expect(limiter.admit(at: 100) == (true, 2))
        #expect(limiter.admit(at: 101) == (true, 0))
    }
}

@Suite struct AccountsTests {
    @Test("users and groups are found by name and by number, unknown ones are not")
    func accounts() {
        #expect(Accounts.user(named: "root") == 0)
        #expect(Accounts.group(named: "root") == 0)
        #expect(Accounts.user(named: "4711") == 4711)
        #expect(Accounts.user(named: "no-such-user-here") == nil)
        #expect(Accounts.group(named: "no-such-group-here") == nil)
    }

    @Test("the process knows its memory and its open descriptors")
    func resources() throws {
        #expect(try #require(ProcessResources.residentBytes) > 100_000)
        #expect(try #require(ProcessResources.openDescriptors) >= 3)
    }
}

/// Ends an exit test with its line as the exit code: the failure shows it, and nothing that is printed there is seen.
func demand(_ condition: Bool, line: Int32 = #line) {
    if !condition { exit(line) }
}

/// Runs an exit test's body, and ends the process by what came of it.
func reporting(_ body: () throws -> Void) -> Never {
    do {
        try body()
        exit(EXIT_SUCCESS)
    } catch {
        // Not the number of any line.
        exit(255)
    }
}
