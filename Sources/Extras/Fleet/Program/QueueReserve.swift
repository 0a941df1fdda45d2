import Glibc
import Linux

/// Space on the disk that is kept for the day it is full: given up then, so that events still find room.
struct QueueReserve {
    /// Path of the file that keeps the space.
    private let path: String
    private var isTaken = false

    /// Unit: bytes.
    private let size: Int
    /// The most that is kept. Unit: bytes.
    private static let most = 1 << 20

    /// - Parameter limit: size that the queue may have. Unit: bytes.
    init(path: String, limit: Int) {
        self.path = path
        size = min(Self.most, limit / 16)
    }

    /// Takes the space if it is not taken; without success while the disk is full.
    mutating func take() {
        guard !isTaken else { return }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // Blocks that are really there, and not a hole.
        isTaken = posix_fallocate(descriptor, 0, off_t(size)) == 0
        if !isTaken { unlink(path) }
    }

    /// Gives the space up.
    mutating func release() {
        isTaken = false
        unlink(path)
    }
}
