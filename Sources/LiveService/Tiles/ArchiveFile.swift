import Linux
import Synchronization

/// A file of a PMTiles archive, whose parts are read when they are needed.
final class ArchiveFile: Sendable {
    private let file: Mutex<File>

    /// Opens the file; nil for one that is no such archive, or cannot be opened.
    init?(_ path: String) {
        guard (try? File.status(of: path))?.isRegular == true, let file = try? File.openForReading(path),
            (try? file.read(atMost: PMTiles.magic.count)) == PMTiles.magic
        else { return nil }
        self.file = Mutex(file)
    }

    /// - Parameters:
    ///   - offset: from the start of the file. Unit: bytes.
    ///   - count: a number of bytes that the archive limits.
    /// - Returns: as many bytes, or fewer where the file ends before.
    func bytes(at offset: UInt64, count: Int) throws(TileProblem) -> [UInt8] {
        guard let offset = Int64(exactly: offset) else { return [] }
        do throws(FileError) {
            return try file.withLock { file throws(FileError) in
                try file.seek(to: offset)
                return try file.read(atMost: count)
            }
        } catch {
            throw TileProblem("it cannot be read: \(error)")
        }
    }
}
