import JSON
import Linux

/// Damaged databases beside the one in use: `places.sqlite.damaged-1` and so on, each with its log and, once its rows
/// have been recovered, a note with the result.
///
/// Files are renamed and never copied over another one, so that the next damage does not destroy an earlier copy. If
/// there are more than `maximumCount` copies, one is removed, and this is logged. It is never the oldest copy, which
/// has the user's rows from before any damage, nor the newest. Copies whose rows have all been recovered are removed
/// first.
struct DamagedCopies {
    /// Path of the database in use.
    let path: String

    /// Maximum number of copies that are kept.
    static let maximumCount = 5

    private var prefix: String { path + ".damaged-" }

    /// Path that earlier versions gave to their only copy.
    private var unnumbered: String { path + ".damaged" }

    func path(_ number: Int) -> String { prefix + String(number) }

    /// Numbers of the copies, the oldest first.
    var numbers: [Int] {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let name = String(prefix.dropFirst(folder.utf8.count + 1))
        let names = (try? File.names(in: folder)) ?? []
        return names.compactMap { $0.hasPrefix(name) ? Int($0.dropFirst(name.count)) : nil }.filter { $0 > 0 }.sorted()
    }

    /// All copies with their notes, the oldest first.
    var all: [DamagedCopy] {
        let isThere = (try? File.status(of: unnumbered))?.isRegular == true
        return (isThere ? [DamagedCopy(path: unnumbered)] : [])
            + numbers.map { DamagedCopy(path: path($0), report: note($0).read()) }
    }

    /// Number of the newest copy if it has no note, because its rows have then not been recovered yet; otherwise nil.
    var pending: Int? { numbers.last.flatMap { note($0).exists ? nil : $0 } }

    func note(_ number: Int) -> SalvageNote { SalvageNote(path: path(number) + ".json") }

    /// Moves the database and its log to a copy with the next number, and returns this number.
    func add() throws(FileError) -> Int {
        let number = (numbers.last ?? 0) + 1
        try File.rename(path, to: path(number))
        // The log must not remain, because SQLite would apply it to a new file. The log's index (`-shm`) is not needed:
        // SQLite rebuilds it from the log.
        try? File.rename(path + "-wal", to: path(number) + "-wal")
        File.remove(path + "-shm")
        try? File.synchronizeDirectory(of: path)
        return number
    }

    func removeSurplus() {
        var numbers = numbers
        while numbers.count > Self.maximumCount {
            // Indices of the copies that may be removed: neither the oldest nor the newest.
            let others = numbers.indices.dropFirst().dropLast()
            let index = others.last { note(numbers[$0]).read()?.isComplete == true } ?? others.last ?? 0
            let number = numbers.remove(at: index)
            Log.warning(
                "\(path(number)) is removed: more than \(Self.maximumCount) damaged databases of places; "
                    + (note(number).read()?.isComplete == true
                        ? "all of its rows had been recovered" : "rows that could not be recovered are lost"))
            for part in ["", "-wal", "-shm", ".json"] { File.remove(path(number) + part) }
        }
    }
}

/// Damaged database that was moved aside.
package struct DamagedCopy: Equatable, Sendable {
    package let path: String
    /// Result of the recovery; nil while it is unknown.
    package let report: SalvageReport?

    init(path: String, report: SalvageReport? = nil) {
        self.path = path
        self.report = report
    }
}

/// Result of a recovery. It counts the rows of a damaged database that are now in the new one.
package struct SalvageReport: Equatable, Sendable, CustomStringConvertible {
    /// SQLite's message about the damage to the database.
    package var problem: String
    package var places = 0
    /// Number of favourites among these places.
    package var favorites = 0
    package var filters = 0
    package var anchors = 0
    /// Number of rows that could be read but did not match their checksum, and are lost.
    package var damagedRows = 0
    /// Whether there may be rows that could not be read at all.
    package var hasUnreadableRows = false
    package var isComplete = true

    package init(problem: String) { self.problem = problem }

    /// Sentence about the recovered and the lost rows, with advice.
    package var description: String {
        "\(places) places (\(favorites) favorites), \(filters) filters and \(anchors) anchors were recovered; \(losses)"
    }

    private var losses: String {
        if isComplete { return "none was lost" }
        let damaged = damagedRows > 0 ? ["\(damagedRows) rows with a wrong checksum are lost"] : []
        let unreadable = hasUnreadableRows || damagedRows == 0 ? ["others could not be read"] : []
        return (damaged + unreadable).joined(separator: ", ") + ": import them again"
    }
}

/// Note beside a damaged copy with the result of the recovery, for the daemon's later runs.
struct SalvageNote {
    let path: String

    /// Maximum length of a note. Unit: bytes.
    private static let maximumLength = 4096

    var exists: Bool { (try? File.status(of: path)) != nil }

    /// Returns the note; nil if it is missing or unreadable.
    func read() -> SalvageReport? {
        guard let bytes = try? WholeFile(path: path).read(maximumLength: Self.maximumLength),
            bytes.count <= Self.maximumLength,
            let root = try? JSONReader.read(bytes)
        else { return nil }
        do throws(DocumentProblem) {
            var report = SalvageReport(problem: try root.required("problem"))
            report.places = try root.required("places")
            report.favorites = try root.required("favorites")
            report.filters = try root.required("filters")
            report.anchors = try root.required("anchors")
            report.damagedRows = try root.optional("damagedRows") ?? 0
            report.hasUnreadableRows = try root.optional("unreadableRows") ?? false
            report.isComplete = try root.required("complete")
            return report
        } catch {
            return nil
        }
    }

    func write(_ report: SalvageReport) throws(FileError) {
        var json = JSONWriter()
        json.beginObject()
        json.member("problem", report.problem)
        json.member("places", Int64(report.places))
        json.member("favorites", Int64(report.favorites))
        json.member("filters", Int64(report.filters))
        json.member("anchors", Int64(report.anchors))
        json.member("damagedRows", Int64(report.damagedRows))
        json.member("unreadableRows", report.hasUnreadableRows)
        json.member("complete", report.isComplete)
        json.endObject()
        try WholeFile(path: path).replace(with: json.bytes)
    }
}
