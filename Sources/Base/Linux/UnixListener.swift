import CLinux
import Glibc

package enum UnixSocketKind: Sendable {
    /// A stream of bytes (SOCK_STREAM).
    case stream
    /// Packets whose boundaries are kept (SOCK_SEQPACKET).
    case packets

    var type: __socket_type { self == .stream ? SOCK_STREAM : SOCK_SEQPACKET }

    init(of descriptor: Int32) {
        var type = Int32(SOCK_STREAM.rawValue)
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size)
        self = type == Int32(SOCK_SEQPACKET.rawValue) ? .packets : .stream
    }
}

/// A listening Unix socket that this process bound or the service manager handed over.
///
/// `close()` unlinks the path if this process bound the socket and the path still leads to it.
public final class UnixListener {
    /// Readable while a connection waits; owned by this object.
    public let descriptor: Int32
    /// Path that this process bound; nil for a socket from the service manager.
    public let path: String?
    package let kind: UnixSocketKind
    private var takesDescriptors = true
    private let node: FileIdentity?
    private var owner: OwnedDescriptor?

    /// Takes ownership of a socket that already listens.
    public init(adopting descriptor: Int32) {
        self.descriptor = descriptor
        owner = OwnedDescriptor(descriptor)
        kind = UnixSocketKind(of: descriptor)
        path = nil
        node = nil
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Binds and listens at `path`.
    ///
    /// A stale socket at the path is replaced. Throws EADDRINUSE if a process listens there, and EEXIST if the path is
    /// not a socket. No client can connect before `mode` and `group` are set.
    package init(
        path: String, kind: UnixSocketKind = .stream, mode: mode_t, group: gid_t? = nil
    ) throws(SystemError) {
        try UnixListener.removeStale(path, kind)
        let descriptor = try UnixAddress.newSocket(kind)
        // Clients that wait to be accepted may have sent descriptors that take long to close.
        let owner = OwnedDescriptor(descriptor, closer: .ofConnections, user: geteuid())
        // The new node inherits the socket's mode, so others have no access until its group is set.
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
        self.kind = kind
        node = FileIdentity(path: path)
    }

    deinit { close() }

    /// Refuses descriptors from clients: a connection ends when its client sends any. Since version 6.16, the kernel
    /// already refuses them when the client sends them.
    public func refuseDescriptors() {
        takesDescriptors = false
        _ = waymark_refuse_descriptors(descriptor)
    }

    /// Accepts the next pending connection, non-blocking; nil if there is none.
    public func accept() throws(SystemError) -> UnixStream? {
        let accepted = waymark_accept(descriptor)
        if accepted >= 0 { return UnixStream(accepted: accepted, takesDescriptors: takesDescriptors) }
        // A connection that was aborted while it was pending counts as none.
        if accepted == -EAGAIN || accepted == -ECONNABORTED || accepted == -EINTR { return nil }
        throw SystemError("accept a client", code: -accepted)
    }

    /// Stops listening. Unlinks the path if this process bound it and it still leads to this socket.
    public func close() {
        guard owner != nil else { return }
        if let path, let node, FileIdentity(path: path) == node { unlink(path) }
        // This refuses connections now, however long closing takes. The service manager's socket stays open.
        if path != nil { shutdown(descriptor, Int32(SHUT_RDWR)) }
        owner = nil
    }

    private static func removeStale(_ path: String, _ kind: UnixSocketKind) throws(SystemError) {
        var information = stat()
        guard lstat(path, &information) == 0 else { return }
        guard information.st_mode & S_IFMT == S_IFSOCK else {
            throw SystemError("\(path) exists but is not a socket: remove it, or choose another path", code: EEXIST)
        }
        let probe = OwnedDescriptor(try UnixAddress.newSocket(kind))
        // Swift may release an object after its last use. That would close the descriptor too early.
        let result = try UnixAddress.with(path) { address, size in
            withExtendedLifetime(probe) { connect(probe.descriptor, address, size) }
        }
        if result == 0 || errno == EAGAIN || errno == EPROTOTYPE {
            throw SystemError("another process listens on \(path): stop it, or choose another path", code: EADDRINUSE)
        }
        guard errno == ECONNREFUSED else { throw .last("check for a listener on \(path)") }
        guard unlink(path) == 0 else { throw .last("remove the stale socket \(path)") }
    }
}

/// Identity of a file-system node, independent of its name.
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

/// Converts file-system paths to Unix socket addresses.
enum UnixAddress {
    /// Runs `body` with the address of `path`; throws if the path is longer than 107 bytes.
    static func with(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(SystemError) -> Int32 {
        var address = sockaddr_un()
        let bytes = Array(path.utf8)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard !bytes.isEmpty, bytes.count < capacity, !bytes.contains(0) else {
            throw SystemError("socket path \(path)", code: bytes.isEmpty ? ENOENT : ENAMETOOLONG)
        }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return NetworkAddress.with(&address, body)
    }

    /// Creates a socket, close-on-exec and non-blocking.
    static func newSocket(_ kind: UnixSocketKind = .stream) throws(SystemError) -> Int32 {
        let type = Int32(kind.type.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw .last("socket") }
        return descriptor
    }
}
