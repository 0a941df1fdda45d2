import CLinux
import Glibc

/// A listening Unix stream socket, bound here or handed over by the service manager.
///
/// One bound here is unlinked by `close()`, if the path still leads to it.
public final class UnixListener {
    public let descriptor: Int32
    /// Where it was bound here; nil if it was handed over. It has to be taken away again.
    public let path: String?
    private let node: FileIdentity?
    private var owner: OwnedDescriptor?

    /// Takes over a socket that listens already.
    public init(adopting descriptor: Int32) {
        self.descriptor = descriptor
        owner = OwnedDescriptor(descriptor)
        path = nil
        node = nil
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Binds and listens at `path`.
    ///
    /// A socket left there by a process that ended is replaced; one where somebody answers is not (EADDRINUSE), nor is
    /// anything that is no socket (EEXIST). Nobody can connect before `mode` and `group` are in force.
    public init(path: String, mode: mode_t, group: gid_t? = nil) throws(SystemError) {
        try UnixListener.removeStale(path)
        let descriptor = try UnixAddress.newSocket()
        let owner = OwnedDescriptor(descriptor)
        // The new node takes its mode from the socket: closed to all others until its group is set.
        guard fchmod(descriptor, 0o600) == 0 else { throw .last("set the mode of \(path)") }
        let result = try UnixAddress.with(path) { bind(descriptor, $0, $1) }
        guard result == 0 else { throw .last("bind \(path)") }
        do throws(SystemError) {
            if let group, chown(path, uid_t.max, group) != 0 { throw .last("give \(path) to group \(group)") }
            guard chmod(path, mode) == 0 else { throw .last("set the mode of \(path)") }
            guard listen(descriptor, SOMAXCONN) == 0 else { throw .last("listen on \(path)") }
        } catch {
            unlink(path)
            throw error
        }
        self.descriptor = descriptor
        self.owner = owner
        self.path = path
        node = FileIdentity(path: path)
    }

    deinit { close() }

    /// The next connection that waits, non-blocking; nil if none does.
    public func accept() throws(SystemError) -> UnixStream? {
        let accepted = waymark_accept(descriptor)
        if accepted >= 0 { return UnixStream(adopting: accepted) }
        // A connection that was aborted while it waited is none.
        if accepted == -EAGAIN || accepted == -ECONNABORTED || accepted == -EINTR { return nil }
        throw SystemError("accept a client", code: -accepted)
    }

    /// Stops listening; the path goes if it was made here and still leads here.
    public func close() {
        guard owner != nil else { return }
        if let path, let node, FileIdentity(path: path) == node { unlink(path) }
        owner = nil
    }

    private static func removeStale(_ path: String) throws(SystemError) {
        var information = stat()
        guard lstat(path, &information) == 0 else { return }
        guard information.st_mode & S_IFMT == S_IFSOCK else {
            throw SystemError("\(path) exists but is not a socket: remove it, or choose another path", code: EEXIST)
        }
        let probe = OwnedDescriptor(try UnixAddress.newSocket())
        // Swift may end an object's life after its last use, which would close the descriptor too early.
        let result = try UnixAddress.with(path) { address, size in
            withExtendedLifetime(probe) { connect(probe.descriptor, address, size) }
        }
        if result == 0 || errno == EAGAIN {
            throw SystemError("another process listens on \(path): stop it, or choose another path", code: EADDRINUSE)
        }
        guard errno == ECONNREFUSED else { throw .last("check for a listener on \(path)") }
        guard unlink(path) == 0 else { throw .last("remove the stale socket \(path)") }
    }
}

/// One node of a file system, whatever its name.
private struct FileIdentity: Equatable {
    let device: dev_t
    let number: ino_t

    init?(path: String) {
        var information = stat()
        guard lstat(path, &information) == 0 else { return nil }
        device = information.st_dev
        number = information.st_ino
    }
}
