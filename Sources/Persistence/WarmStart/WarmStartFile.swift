import Linux
import Recording

/// The file in which a run leaves what it learned for the next: always whole, whenever the power goes.
public struct WarmStartFile: Hashable, Sendable {
    private let file: WholeFile

    public init(directory: String) { file = WholeFile(path: directory + "/warm-start.json") }

    public var path: String { file.path }
    /// Where one that cannot be read is kept for whoever wants to look.
    public var damagedPath: String { file.damagedPath }

    public typealias Unreadable = WholeFile.Unreadable

    /// All of it; nil where there is none.
    public func read() throws(Unreadable) -> [UInt8]? { try file.read(longest: WarmStartMessage.longest) }

    /// Puts `bytes` in the place of what was there; whoever reads meanwhile, or after a loss of power, finds the one or the
    /// other.
    public func replace(with bytes: [UInt8]) throws(FileError) { try file.replace(with: bytes) }

    /// Takes one that cannot be read out of the way.
    public func setAside() throws(FileError) { try file.setAside() }
}
