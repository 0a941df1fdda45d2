import CZlib
import JSON
import PlanMatching

/// Format of a stored plan's file: a line about the plan, followed by the plan's document (GeoJSON in UTF-8).
///
/// The line consists of `waymark-plan`, the version of the format, a checksum of the rest of the line, and one JSON
/// object. With this line alone, the daemon lists and finds plans without reading their documents; the JSON object also
/// has the document's length and checksum.
struct PlanFile: StoredHeader {
    typealias Failure = PlanStore.Failure

    let plan: StoredPlan
    /// Length of the line, including its line feed. Unit: bytes.
    let documentOffset: Int
    /// Length of the document. Unit: bytes.
    let documentCount: Int
    private let documentChecksum: UInt32

    static let texts = StoredTexts(
        ending: ".plan", all: "plans", owner: "the plan", inside: "plan", loss: "its plan is", lost: "the plan")
    static let maximumLength = 4096
    /// Maximum length of a document. Such a document fits into one reply of the daemon even if each byte is escaped.
    /// Unit: bytes.
    static let maximumDocumentSize = 8 << 20
    private static let mark = "waymark-plan "
    private static let version = "1 "
    /// A checksum takes eight hexadecimal digits, which a space follows. Unit: bytes.
    private static let checksumCount = 9

    var key: String { plan.id }
    var count: Int { documentOffset + documentCount }

    /// Encodes a plan and its document as a file.
    static func bytes(_ plan: StoredPlan, _ document: [UInt8]) -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.beginObject()
        json.member("id", plan.id)
        json.member("name", plan.name)
        json.member("levels", Int64(plan.levels))
        json.member("features", Int64(plan.features))
        json.member("vertices", Int64(plan.vertices))
        json.member("south", plan.extent.south, .exact)
        json.member("north", plan.extent.north, .exact)
        json.member("west", plan.extent.west, .exact)
        json.member("east", plan.extent.east, .exact)
        json.member("imported", plan.imported)
        json.member("bytes", Int64(document.count))
        json.member("checksum", Int64(checksum(document[...])))
        json.endObject()
        let about = json.bytes
        let line = mark + version + hexadecimal(checksum(about[...])) + " "
        return Array(line.utf8) + about + [UInt8(ascii: "\n")] + document
    }

    /// Returns an id as a file name. Characters except letters, digits, hyphens and underscores become `%` and two
    /// hexadecimal digits.
    static func fileName(_ id: String) -> String {
        var name = ""
        for byte in id.utf8 {
            let character = Character(Unicode.Scalar(byte))
            if character.isASCII, character.isLetter || character.isNumber || "-_".contains(character) {
                name.append(character)
            } else {
                name += byte < 16 ? "%0" : "%"
                name += String(byte, radix: 16)
            }
        }
        return name
    }

    /// Reads the line of a file from its first bytes, of which only `maximumLength` are considered.
    init(beginning bytes: [UInt8]) throws(StoredFlaw) {
        let bytes = Array(bytes.prefix(Self.maximumLength))
        guard bytes.starts(with: Self.mark.utf8) else { throw .damaged("first line is not that of a plan") }
        let rest = bytes.dropFirst(Self.mark.utf8.count)
        guard rest.starts(with: Self.version.utf8) else {
            throw rest.first.map { (UInt8(ascii: "2")...UInt8(ascii: "9")).contains($0) } == true
                ? .newer : .damaged("version is unknown")
        }
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { throw .damaged("first line has no end") }
        let line = rest[..<end].dropFirst(Self.version.utf8.count)
        let about = line.dropFirst(Self.checksumCount)
        guard line.starts(with: (Self.hexadecimal(Self.checksum(about)) + " ").utf8) else {
            throw .damaged("first line does not match its checksum")
        }
        guard let parts = try? Self.parts(Array(about)) else { throw .damaged("first line lacks something") }
        (plan, documentCount, documentChecksum) = parts
        documentOffset = end + 1
    }

    private static func parts(_ about: [UInt8]) throws -> (StoredPlan, Int, UInt32) {
        let root = try JSONReader.read(about)
        let extent = PlanBox(
            south: try root.required("south"), north: try root.required("north"), west: try root.required("west"),
            east: try root.required("east"))
        guard let extent else { throw StoredFlaw.damaged("extent") }
        let plan = StoredPlan(
            id: try root.required("id"), name: try root.required("name"), levels: try root.required("levels"),
            features: try root.required("features"), vertices: try root.required("vertices"), extent: extent,
            imported: Int64(try root.required("imported") as Int))
        let count: Int = try root.required("bytes")
        let checksum: Int = try root.required("checksum")
        guard (0...maximumDocumentSize).contains(count), let checksum = UInt32(exactly: checksum) else {
            throw StoredFlaw.damaged("length")
        }
        guard (0...StoredPlan.maximumVertexCount).contains(plan.vertices) else {
            throw StoredFlaw.damaged("number of points")
        }
        return (plan, count, checksum)
    }

    /// Returns the document from the bytes of the whole file.
    func document(of bytes: [UInt8]) throws(StoredFlaw) -> [UInt8] {
        guard bytes.count == count else { throw .damaged("length is \(bytes.count) bytes, not \(count)") }
        let document = bytes[documentOffset...]
        guard Self.checksum(document) == documentChecksum else {
            throw .damaged("document does not match its checksum")
        }
        return Array(document)
    }

    static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBufferPointer { UInt32(truncatingIfNeeded: crc32_z(0, $0.baseAddress, $0.count)) }
    }

    private static func hexadecimal(_ checksum: UInt32) -> String {
        let digits = String(checksum, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
