import Linux
import Synchronization

/// File of a PMTiles archive. Its parts are read on demand.
final class ArchiveFile: Sendable {
    private let file: Mutex<File>

    /// Opens the file; nil if it cannot be opened, or is not such an archive.
    ///
    /// - Throws: `TileProblem` if the archive has an earlier version.
    init?(_ path: String) throws(TileProblem) {
        guard (try? File.status(of: path))?.isRegular == true, let file = try? File.openForReading(path),
            let beginning = try? file.read(atMost: PMTiles.magic.count)
        else { return nil }
        // Files of versions 1 and 2 begin with two letters, followed by the version in two bytes.
        if beginning.count >= 4, beginning.starts(with: PMTiles.magic.prefix(2)), (1...2).contains(beginning[2]),
            beginning[3] == 0
        {
            throw TileProblem("it is PMTiles version \(beginning[2]), not 3: use `pmtiles convert`")
        }
        guard beginning == PMTiles.magic else { return nil }
        self.file = Mutex(file)
    }

    /// - Parameters:
    ///   - offset: offset from the start of the file. Unit: bytes.
    ///   - count: number of bytes, which the size of the archive's section limits.
    /// - Returns: these bytes, or fewer if the file ends earlier.
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
