import Documents
import JSON
import Messages
import Model
import PlanMatching

/// Plans as messages of a recording. The document of a plan is written once while the plan is in use. After each
/// change, the ids of the plans in use are written.
enum PlanMessages {
    typealias Problem = JSONScanner.Problem

    /// Maximum number of plans in use.
    static let maximumPlanCount = 100
    /// Maximum number of plans that were read, including plans that are not in use.
    static let maximumKnownCount = 2 * maximumPlanCount
    /// Maximum length of a plan's id. Unit: bytes.
    private static let maximumIDLength = 80

    /// Appends one object: a plan with its document.
    static func write(_ plan: FloorPlan, at time: BootTime, into json: inout JSONWriter) {
        json.object { json in
            json.member("time", time.message)
            json.member("id", plan.id)
            json.member("name", plan.name)
            json.key("document")
            json.value(json: PlanDocumentWriter.bytes(of: plan))
        }
    }

    /// Appends one object: the ids of the plans in use, in order.
    static func write(inUse plans: [DrawnPlan], at time: BootTime, into json: inout JSONWriter) {
        json.object { json in
            json.member("time", time.message)
            json.array("plans", plans) { $1.value($0.plan.id) }
        }
    }

    /// Reads a plan; skips unknown members.
    static func readPlan(_ text: UnsafeRawBufferPointer) throws(Problem) -> FloorPlan {
        var scanner = JSONScanner(text)
        var (id, name): (String?, String?)
        var document: UnsafeRawBufferPointer?
        try scanner.object { member, value throws(Problem) in
            switch member {
            case "id": id = try identifier(&value)
            case "name": name = try self.text(&value)
            case "document": document = try value.raw()
            default: try value.skip()
            }
        }
        try scanner.end()
        let bytes = Array(try document.need("document"))
        let planID = try id.need("id")
        do throws(DocumentProblem) {
            return try PlanDocument.read(bytes, id: planID, name: name)
        } catch {
            throw Problem("\(error)")
        }
    }

    /// Reads the ids of the plans in use.
    static func readUse(_ text: UnsafeRawBufferPointer) throws(Problem) -> [String] {
        var scanner = JSONScanner(text)
        var plans: [String]?
        try scanner.object { member, value throws(Problem) in
            guard member == "plans" else { return try value.skip() }
            var ids: [String] = []
            try value.array { element throws(Problem) in
                guard ids.count < maximumPlanCount else { throw Problem("more than \(maximumPlanCount) plans") }
                ids.append(try identifier(&element))
            }
            plans = ids
        }
        try scanner.end()
        return try plans.need("plans")
    }

    private static func identifier(_ scanner: inout JSONScanner) throws(Problem) -> String {
        let id = try text(&scanner)
        guard (1...maximumIDLength).contains(id.utf8.count) else {
            throw Problem("an id has 1 to \(maximumIDLength) bytes")
        }
        return id
    }

    /// Reads a string and resolves its escapes.
    private static func text(_ scanner: inout JSONScanner) throws(Problem) -> String {
        let quote = UInt8(ascii: "\"")
        let bytes = [quote] + Array(try scanner.string()) + [quote]
        let read = try? JSONReader.read(bytes)
        return try (read?.string).need("text")
    }
}
