import Glibc

/// A folder for one run of a program. Only the program's user can access it, and it is removed at the end of the run.
///
/// A run that was killed leaves its folder, which a later run removes. The folder of a run that still lives is locked
/// (flock), and the kernel releases the lock when the process ends. systemd-tmpfiles(8) does not remove locked folders
/// either.
public final class TemporaryFolder {
    package let path: String
    /// Descriptor of the folder, which is locked while this object lives.
    private let folder: OwnedDescriptor

    /// Number of random characters at the end of a name, fixed by mkdtemp.
    private static let randomLength = 6
    /// Maximum number of attempts. Another run may remove a new folder before it is locked. On a busy machine, this may
    /// happen several times in a row.
    private static let attempts = 100

    /// Creates a folder in `place`; its name is `prefix` followed by random characters.
    public init(in place: String, prefix: String) throws(SystemError) {
        for _ in 0..<Self.attempts {
            let pattern = "\(place)/\(prefix)" + String(repeating: "X", count: Self.randomLength)
            var template = Array(pattern.utf8CString)
            guard let path = mkdtemp(&template).map({ String(cString: $0) }) else {
                throw .last("make a temporary folder in \(place)")
            }
            guard let folder = Self.open(path), Self.lock(folder) != .taken, access(path, F_OK) == 0 else { continue }
            self.path = path
            self.folder = folder
            return
        }
        throw SystemError("lock a temporary folder in \(place)", code: EBUSY)
    }

    /// Removes the folder and everything in it. Follows no link.
    public func remove() {
        Self.empty(folder)
        rmdir(path)
    }

    /// Removes the folders that killed runs of this user have left in `place`. Follows no link.
    public static func removeAbandoned(in place: String, prefix: String) {
        guard let parent = open(place, flags: 0) else { return }
        for name in names(in: parent) where isName(name, prefix) {
            guard let folder = open(name, in: parent), isPrivate(folder), lock(folder) == .held else { continue }
            // The folder stays locked until it is removed, because a run that begins now may choose the same name.
            withExtendedLifetime(folder) {
                empty(folder)
                unlinkat(parent.descriptor, name, AT_REMOVEDIR)
            }
        }
    }
}

extension TemporaryFolder {
    private static func isName(_ name: String, _ prefix: String) -> Bool {
        let random = name.utf8.dropFirst(prefix.utf8.count)
        return name.hasPrefix(prefix) && random.count == randomLength
            && random.allSatisfy { isalnum(Int32($0)) != 0 }
    }

    /// Opens a directory; nil if the path is anything else, or is a link and `flags` is not 0.
    private static func open(
        _ path: String, in parent: OwnedDescriptor? = nil, flags: Int32 = O_NOFOLLOW
    ) -> OwnedDescriptor? {
        let descriptor = openat(
            parent?.descriptor ?? AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | flags)
        return descriptor < 0 ? nil : OwnedDescriptor(descriptor)
    }

    /// Whether a directory belongs to this user and no one else has access, as mkdtemp creates it.
    private static func isPrivate(_ folder: OwnedDescriptor) -> Bool {
        var information = stat()
        return fstat(folder.descriptor, &information) == 0 && information.st_uid == geteuid()
            && information.st_mode & (S_IFMT | 0o777) == S_IFDIR | 0o700
    }

    private enum Lock { case held, taken, unsupported }

    /// Locks a directory until its descriptor is closed; some network file systems do not support locks.
    private static func lock(_ folder: OwnedDescriptor) -> Lock {
        if flock(folder.descriptor, LOCK_EX | LOCK_NB) == 0 { return .held }
        return errno == EWOULDBLOCK ? .taken : .unsupported
    }

    /// Removes everything in a directory.
    private static func empty(_ folder: OwnedDescriptor) {
        for name in names(in: folder) where unlinkat(folder.descriptor, name, 0) != 0 {
            guard let inner = open(name, in: folder) else { continue }
            empty(inner)
            unlinkat(folder.descriptor, name, AT_REMOVEDIR)
        }
    }

    private static func names(in folder: OwnedDescriptor) -> [String] {
        // The stream gets a descriptor of its own, which is positioned at the directory's start.
        let descriptor = openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        guard let stream = fdopendir(descriptor) else {
            close(descriptor)
            return []
        }
        defer { closedir(stream) }
        return File.listing(of: stream).names
    }
}
