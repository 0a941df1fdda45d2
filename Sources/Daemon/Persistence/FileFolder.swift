import JSON
import Linux

/// Reason why a stored file cannot be used.
package enum StoredFlaw: Error, Equatable, CustomStringConvertible {
    /// The file was written in a later version of the format, and is left unchanged.
    case newer
    /// The file is damaged in the named part.
    case damaged(String)

    package var description: String {
        switch self {
        case .newer: "it was written by a newer Waymark"
        case .damaged(let part): "its \(part)"
        }
    }
}

/// Reason why a request to a store failed.
package protocol StoreFailure: Error, Equatable {
    /// The document cannot be used, or exceeds a limit.
    static func document(_ problem: DocumentProblem) -> Self
    /// The store cannot be read or changed, or a file is damaged. The text has the reason and the remedy.
    static func store(_ reason: String) -> Self
}

extension DocumentProblem {
    /// Problem of a document as a whole.
    package static func whole(_ message: String) -> DocumentProblem { DocumentProblem(path: "", message: message) }
}

/// Facts about a stored file that its first bytes contain.
protocol StoredHeader: Equatable, Sendable {
    associatedtype Key: Hashable & Sendable
    associatedtype Failure: StoreFailure
    static var texts: StoredTexts { get }
    /// Number of bytes at the beginning of a file that are read for the header.
    static var maximumLength: Int { get }
    static func fileName(_ key: Key) -> String
    var key: Key { get }
    /// Length of the whole file. Unit: bytes.
    var count: Int { get }
    init(beginning bytes: [UInt8]) throws(StoredFlaw)
}

/// Parts of messages about the files of a folder.
struct StoredTexts {
    /// Ending of the files' names.
    let ending: String
    /// Contents of the folder, as in "the stored plans".
    let all: String
    /// Object to which a file belongs, as in "length is not that of the plan".
    let owner: String
    /// Object in a file, as in "the plan in it".
    let inside: String
    /// Consequence of a file that cannot be read, as in "its plan is" before the word "missing".
    let loss: String
    /// Object that the user should import again, as in "the plan".
    let lost: String
}

/// Folder with one file per object. A file is replaced as a whole, so that a loss of power leaves the old one or the
/// new one. Damage of one file does not affect the others.
///
/// To be used by one thread at a time, which may have to wait for the disk.
struct FileFolder<Header: StoredHeader>: Sendable {
    /// Path of the folder; nil if nothing is stored, as in a replay.
    let path: String?
    /// Headers of the files, by their keys.
    private(set) var known: [Header.Key: Header] = [:]
    /// Paths of damaged files beside the stored ones, at most `maximumDamagedCount`.
    private(set) var damaged: [String] = []
    /// Number of attempts to change a file. One that failed counts too, because the file may have changed nevertheless.
    private(set) var changeCount: UInt64 = 0

    private static var maximumDamagedCount: Int { 20 }

    init(path: String?) { self.path = path }

    /// Finds up to `capacity` files. A damaged one is moved aside and logged; one of a newer version is left unchanged.
    mutating func load(capacity: Int) {
        guard let path else { return }
        let listing = File.listing(of: path)
        if let error = listing.error, !error.isMissing {
            Log.error(
                "\(path): the stored \(Header.texts.all) cannot all be read: \(error); check the disk and the folder's "
                    + "permissions, then restart waymarkd")
        }
        for name in listing.names.sorted() {
            if name.hasSuffix(Header.texts.ending + ".new") {
                // A loss of power left this file behind before its import was acknowledged.
                File.remove(path + "/" + name)
            } else if name.hasSuffix(Header.texts.ending + ".damaged") {
                note(damaged: path + "/" + name)
            } else if name.hasSuffix(Header.texts.ending), known.count < capacity {
                find(WholeFile(path: path + "/" + name))
            }
        }
    }

    private mutating func find(_ file: WholeFile) {
        do {
            let status = try File.status(of: file.path)
            guard status.isRegular else { return }
            let header = try Header(
                beginning: try File.openForReading(file.path).read(atMost: Header.maximumLength))
            guard status.size == header.count else {
                throw StoredFlaw.damaged("length is not that of \(Header.texts.owner)")
            }
            guard self.file(header.key)?.path == file.path else {
                throw StoredFlaw.damaged("name is not that of the \(Header.texts.inside) in it")
            }
            known[header.key] = header
        } catch StoredFlaw.newer {
            Log.warning("\(file.path) is not used, and was not changed: \(StoredFlaw.newer)")
        } catch let flaw as StoredFlaw {
            setAside(file, flaw)
        } catch {
            Log.error("\(file.path) cannot be read, \(Header.texts.loss) missing: \(error)")
        }
    }

    private mutating func setAside(_ file: WholeFile, _ flaw: StoredFlaw) {
        let (text, isMoved) = file.movedAside("damaged", advice: ", import \(Header.texts.lost) again", "\(flaw)")
        note(damaged: isMoved ? file.damagedPath : file.path)
        Log.error(text)
    }

    private mutating func note(damaged path: String) {
        if damaged.count < Self.maximumDamagedCount, !damaged.contains(path) { damaged.append(path) }
    }

    /// Removes from `damaged` the files that have been deleted, or replaced by an intact file of the same path.
    mutating func forgetReplaced() {
        guard !damaged.isEmpty else { return }
        let stored = Set(known.keys.compactMap { file($0)?.path })
        damaged.removeAll { stored.contains($0) || (try? File.status(of: $0)) == nil }
    }

    /// Forgets a damaged file, and moves it aside.
    mutating func drop(_ key: Header.Key, _ flaw: StoredFlaw) {
        known[key] = nil
        changeCount += 1
        if let file = file(key) { setAside(file, flaw) }
    }

    /// Returns the file with this key; nil if nothing is stored.
    func file(_ key: Header.Key) -> WholeFile? {
        path.map { WholeFile(path: "\($0)/\(Header.fileName(key))\(Header.texts.ending)") }
    }

    /// Writes a file, which is durable once this returns.
    mutating func write(_ header: Header, _ bytes: [UInt8]) throws(Header.Failure) {
        guard let file = file(header.key) else { return }
        changeCount += 1
        do throws(FileError) {
            try file.replaceInOwnFolder(with: bytes)
        } catch {
            throw .store("\(file.path) cannot be written: \(error)")
        }
        known[header.key] = header
    }

    /// Removes a file; it stays removed once this returns.
    mutating func remove(_ key: Header.Key) throws(Header.Failure) {
        guard let file = file(key) else { return }
        changeCount += 1
        do throws(FileError) {
            try file.remove()
        } catch {
            throw .store("\(file.path) cannot be removed: \(error)")
        }
        known[key] = nil
    }
}

extension WholeFile {
    /// Replaces the file, and creates its folder if it does not exist.
    func replaceInOwnFolder(with bytes: [UInt8]) throws(FileError) {
        let folder = File.directory(of: path)
        File.makeDirectory(of: folder, mode: 0o700)
        let isNew = (try? File.status(of: folder)) == nil
        try replace(with: bytes)
        // A new folder is durable only once its parent is synchronized.
        if isNew { try File.synchronizeDirectory(of: folder) }
    }

    /// Moves aside a file that cannot be used; returns a sentence for the journal, and whether the file was moved.
    ///
    /// - Parameters:
    ///   - state: what the file is, such as "damaged".
    ///   - advice: what the user should do, beginning with a comma; empty for no advice.
    func movedAside(_ state: String, advice: String = "", _ problem: String) -> (text: String, isMoved: Bool) {
        do throws(FileError) {
            try setAside()
            return ("\(path) is \(state) and was moved to \(damagedPath)\(advice): \(problem)", true)
        } catch {
            return ("\(path) is \(state) and cannot be moved away (\(error))\(advice): \(problem)", false)
        }
    }
}
