import Linux
import Recording

/// The file in which a run leaves what it learned for the next: always whole, whenever the power goes.
public struct WarmStartFile: Hashable, Sendable {
    private let file: WholeFile

    /// Names the file in the daemon's own directory; reads nothing.
    public init(directory: String) { file = WholeFile(path: directory + "/warm-start.json") }

    /// Path of the file.
    public var path: String { file.path }
    /// Path to which a file that cannot be read is moved, for later inspection.
    public var damagedPath: String { file.damagedPath }

    /// Error of a file that is there and cannot be read.
    public typealias Unreadable = WholeFile.Unreadable

    /// All of it; nil where there is none.
    public func read() throws(Unreadable) -> [UInt8]? { try file.read(longest: WarmStartMessage.longest) }

    /// Replaces the file with `bytes`; a reader, also after a loss of power, finds either the old file or the new one.
    public func replace(with bytes: [UInt8]) throws(FileError) { try file.replace(with: bytes) }

    /// Takes one that cannot be read out of the way.
    public func setAside() throws(FileError) { try file.setAside() }
}
