import Glibc
import Linux

/// Reserved space on the disk, released when the disk is full so that events still have room.
struct QueueReserve {
    /// Path of the file that reserves the space.
    private let path: String
    private var isTaken = false

    /// Size of the reserve. Unit: bytes.
    private let size: Int
    /// Maximum size of the reserve. Unit: bytes.
    private static let maximumSize = 1 << 20

    /// - Parameter limit: maximum size of the queue. Unit: bytes.
    init(path: String, limit: Int) {
        self.path = path
        size = min(Self.maximumSize, limit / 16)
    }

    /// Reserves the space, if it is not reserved yet; fails while the disk is full.
    mutating func take() {
        guard !isTaken else { return }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // Allocates real blocks, not a sparse file.
        isTaken = posix_fallocate(descriptor, 0, off_t(size)) == 0
        if !isTaken { unlink(path) }
    }

    mutating func release() {
        isTaken = false
        unlink(path)
    }
}
