import CLinux
import Glibc

/// Lock that gives this process exclusive use of a folder. It is released when the process ends.
public final class FolderLock: Sendable {
    package enum Failure: Error, Sendable {
        /// Another process has the lock. `process` is nil if that process has no number here, for example because it is
        /// in another container.
        case taken(process: Int32?)
        /// The folder does not exist, or no file can be created in it.
        case impossible(SystemError)
    }

    /// Process whose lock on the folder is ignored; nil if there is none. It has ended except for one thread, which
    /// waits for a file system that does not respond. The process keeps the lock until that thread ends.
    public let formerProcess: Int32?
    private let owner: OwnedDescriptor

    /// Locks the folder with a record lock (fcntl) on the file `lock` in it.
    package init(_ folder: String) throws(Failure) {
        let descriptor = waymark_open_lock(folder + "/lock")
        guard descriptor >= 0 else { throw .impossible(SystemError("lock \(folder)", code: -descriptor)) }
        owner = OwnedDescriptor(descriptor)
        let holder = waymark_lock(descriptor)
        guard holder != -EAGAIN else { throw .taken(process: nil) }
        guard holder >= 0 else { throw .impossible(SystemError("lock \(folder)", code: -holder)) }
        guard holder == 0 || Self.hasEnded(holder) else { throw .taken(process: holder) }
        formerProcess = holder == 0 ? nil : holder
    }

    /// Whether the first thread of a process has ended (proc_pid_stat(5): state Z).
    private static func hasEnded(_ process: Int32) -> Bool {
        guard let file = try? File.openForReading("/proc/\(process)/stat"), let text = try? file.read(atMost: 256)
        else {
            return false
        }
        // The name, in parentheses, may itself contain parentheses.
        guard let end = text.lastIndex(of: UInt8(ascii: ")")) else { return false }
        return text.dropFirst(end - text.startIndex + 1).dropFirst().first == UInt8(ascii: "Z")
    }
}
