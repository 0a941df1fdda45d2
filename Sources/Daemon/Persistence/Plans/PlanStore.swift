import Documents
import Geometry
import JSON
import Linux
import PlanMatching

/// Folder of the plans, with one file per plan, replaced as a whole: a loss of power leaves the old or the new one, and
/// damage of one file does not affect the others.
///
/// For a thread that may wait for the disk, one at a time.
package struct PlanStore: Sendable {
    /// Reason why a request failed.
    package enum Failure: Error, Equatable {
        /// The document is not a plan, or exceeds a limit.
        case document(DocumentProblem)
        /// No plan with this id is stored.
        case unknown(String)
        /// The number of plans would exceed this maximum.
        case tooMany(Int)
        /// The folder cannot be read or changed, or a file is damaged, with the reason and the remedy.
        case store(String)
    }

    /// Path of the folder; nil if plans are not stored, as in a replay.
    private let folder: String?
    /// Maximum number of plans.
    private let capacity: Int
    /// File information of each plan, by its id.
    private var known: [String: PlanFile] = [:]
    /// Plans around the last requested position, read from their documents.
    private var around: [String: FloorPlan] = [:]

    /// Paths of damaged files beside the stored ones, at most `maximumDamagedCount`.
    package private(set) var damaged: [String] = []

    /// Maximum number of damaged files that are listed.
    private static let maximumDamagedCount = 20
    /// Maximum number of plans that the daemon stores.
    package static let maximumPlanCount = 1000
    private static let ending = ".plan"

    /// Only notes the path of the folder; reads nothing.
    package init(folder: String?, capacity: Int = PlanStore.maximumPlanCount) {
        self.folder = folder
        self.capacity = capacity
    }

    // MARK: start

    /// Finds the stored plans. A damaged file is moved aside and logged; one of a newer version is left unchanged.
    package mutating func load() {
        guard let folder else { return }
        let names: [String]
        do throws(FileError) {
            names = try File.names(in: folder)
        } catch {
            if !error.isMissing { Log.error("\(folder): the stored plans cannot be read: \(error)") }
            return
        }
        for name in names.sorted() {
            if name.hasSuffix(Self.ending + ".new") {
                // The file was left behind by a loss of power: its import was never acknowledged.
                File.remove(folder + "/" + name)
            } else if name.hasSuffix(Self.ending + ".damaged") {
                note(damaged: folder + "/" + name)
            } else if name.hasSuffix(Self.ending), known.count < capacity {
                find(WholeFile(path: folder + "/" + name))
            }
        }
    }

    private mutating func find(_ file: WholeFile) {
        do {
            let status = try File.status(of: file.path)
            guard status.isRegular else { return }
            let found = try PlanFile(
                beginning: try File.openForReading(file.path).read(atMost: PlanFile.maximumLineLength))
            guard status.size == found.count else { throw PlanFile.Flaw.damaged("length is not that of the plan") }
            guard self.file(found.plan.id)?.path == file.path else {
                throw PlanFile.Flaw.damaged("name is not that of the plan in it")
            }
            known[found.plan.id] = found
        } catch PlanFile.Flaw.newer {
            Log.warning("\(file.path) is not used, and was not changed: \(PlanFile.Flaw.newer)")
        } catch let flaw as PlanFile.Flaw {
            setAside(file, flaw)
        } catch {
            Log.error("\(file.path) cannot be read, its plan is missing: \(error)")
        }
    }

    private mutating func setAside(_ file: WholeFile, _ flaw: PlanFile.Flaw) {
        do throws(FileError) {
            try file.setAside()
            note(damaged: file.damagedPath)
            Log.error("\(file.path) is damaged and was moved to \(file.damagedPath), import the plan again: \(flaw)")
        } catch {
            note(damaged: file.path)
            Log.error("\(file.path) is damaged and cannot be moved away (\(error)), import the plan again: \(flaw)")
        }
    }

    /// Drops damaged files that were deleted, or replaced by a plan.
    mutating func forgetReplaced() {
        let stored = Set(known.keys.compactMap { file($0)?.path })
        damaged.removeAll { stored.contains($0) || (try? File.status(of: $0)) == nil }
    }

    private mutating func note(damaged path: String) {
        if damaged.count < Self.maximumDamagedCount, !damaged.contains(path) { damaged.append(path) }
    }

    /// File of a plan; nil if plans are not stored.
    private func file(_ id: String) -> WholeFile? {
        folder.map { WholeFile(path: "\($0)/\(Self.escaped(id))\(Self.ending)") }
    }

    /// An id as a file name: characters except letters, digits, hyphens and underscores become `%` and two hexadecimal
    /// digits.
    private static func escaped(_ id: String) -> String {
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

    // MARK: plans

    /// Stored plans, ordered by id, or by distance if a position is given.
    package func plans(near position: GeodeticPosition? = nil) -> [StoredPlan] {
        let plans = known.values.map(\.plan).sorted { $0.id < $1.id }
        guard let position else { return plans }
        return Self.nearest(plans, position).map(\.plan)
    }

    private static func nearest(
        _ plans: [StoredPlan], _ position: GeodeticPosition
    ) -> [(plan: StoredPlan, distance: Double)] {
        plans.map { (plan: $0, distance: $0.extent.distance(from: position)) }
            .sorted { ($0.distance, $0.plan.id) < ($1.distance, $1.plan.id) }
    }

    /// Adds the plan of a document, or replaces the plan with the same id; it is durable once this returns.
    ///
    /// - Parameters:
    ///   - id: 1 to `StoredPlan.maximumIDLength` bytes, not beginning with `FloorPlan.routeID`; nil to derive it from
    ///     the document.
    ///   - name: name of the plan; nil for the document's.
    ///   - imported: current time, since 1970 UTC. Unit: nanoseconds.
    package mutating func add(
        _ document: [UInt8], id: String?, name: String?, imported: Int64
    ) throws(Failure) -> StoredPlan {
        let id = id ?? Self.derivedID(document)
        guard (1...StoredPlan.maximumIDLength).contains(id.utf8.count) else {
            throw .document(
                DocumentProblem(
                    path: "", message: "an id has 1 to \(StoredPlan.maximumIDLength) bytes: give another one"))
        }
        guard !FloorPlan.isOfRoute(id) else {
            throw .document(
                DocumentProblem(
                    path: "", message: "'\(FloorPlan.routeID)' begins ids of the line of a route: give another one"))
        }
        guard let file = file(id) else { throw .store("a recording is being replayed: plans are not stored") }
        guard known[id] != nil || known.count < capacity else { throw .tooMany(capacity) }
        let (plan, text) = try Self.read(document, id: id, name: name, imported: imported)
        let bytes = PlanFile.bytes(plan, text)
        guard let stored = try? PlanFile(beginning: bytes) else {
            throw .document(DocumentProblem(path: "", message: "id and name are too long together"))
        }
        do throws(FileError) {
            try replace(file, with: bytes)
        } catch {
            throw .store("\(file.path) cannot be written: \(error)")
        }
        known[id] = stored
        around[id] = nil
        // The plan as read back from the file, which stores the time with less precision.
        return stored.plan
    }

    private func replace(_ file: WholeFile, with bytes: [UInt8]) throws(FileError) {
        let folder = File.directory(of: file.path)
        File.makeDirectory(of: folder, mode: 0o700)
        let isNew = (try? File.status(of: folder)) == nil
        try file.replace(with: bytes)
        // A new folder is durable only once its parent is synchronized.
        if isNew { try File.synchronizeDirectory(of: folder) }
    }

    /// Equal for equal documents, so that importing a document again replaces its plan.
    private static func derivedID(_ document: [UInt8]) -> String {
        "plan-" + String(PlanFile.checksum(document[...]), radix: 16)
    }

    /// The plan of a document within the limits, and the document to store.
    private static func read(
        _ document: [UInt8], id: String, name: String?, imported: Int64
    ) throws(Failure) -> (StoredPlan, [UInt8]) {
        do throws(DocumentProblem) {
            let plan = try PlanDocument.read(document, id: id, name: name)
            let vertices = plan.vertices
            guard vertices <= StoredPlan.maximumVertexCount else {
                throw DocumentProblem(
                    path: "", message: "\(vertices) points, more than \(StoredPlan.maximumVertexCount): split the plan")
            }
            guard plan.name.utf8.count <= StoredPlan.maximumNameLength else {
                throw DocumentProblem(
                    path: "", message: "the name is longer than \(StoredPlan.maximumNameLength) bytes: give another one"
                )
            }
            guard let extent = PlanBox(plan) else {
                throw DocumentProblem(path: "", message: "there is nothing in the plan")
            }
            let text = PlanDocumentWriter.bytes(of: plan)
            guard text.count <= PlanFile.maximumDocumentSize else {
                throw DocumentProblem(
                    path: "",
                    message:
                        "larger than the limit of \(PlanFile.maximumDocumentSize >> 20) MiB as GeoJSON: split the plan"
                )
            }
            // The stored document has to be readable again. In it, levels that share a feature have one copy each.
            _ = try PlanDocument.read(text, id: id)
            let stored = StoredPlan(
                id: id, name: plan.name, levels: plan.levels.count,
                features: plan.levels.reduce(0) { $0 + $1.features.count }, vertices: vertices, extent: extent,
                imported: imported)
            return (stored, text)
        } catch {
            throw .document(error)
        }
    }

    /// A plan and its document, GeoJSON in UTF-8. A damaged file is moved aside and logged.
    package mutating func document(_ id: String) throws(Failure) -> (plan: StoredPlan, document: [UInt8]) {
        guard let stored = known[id], let file = file(id) else { throw .unknown(id) }
        do {
            let bytes = try file.read(maximumLength: stored.count) ?? []
            // If the lines differ, another program has changed the file since the start.
            guard try PlanFile(beginning: bytes) == stored else {
                throw PlanFile.Flaw.damaged("first line has changed")
            }
            return (stored.plan, try stored.document(of: bytes))
        } catch let flaw as PlanFile.Flaw {
            setAside(file, flaw)
            known[id] = nil
            around[id] = nil
            throw .store("the file of plan '\(id)' is damaged, import the plan again: \(flaw)")
        } catch {
            throw .store("\(file.path) cannot be read: \(error)")
        }
    }

    /// Removes a plan; it stays removed once this returns.
    package mutating func remove(_ id: String) throws(Failure) {
        guard known[id] != nil, let file = file(id) else { throw .unknown(id) }
        do throws(FileError) {
            try file.remove()
        } catch {
            throw .store("\(file.path) cannot be removed: \(error)")
        }
        known[id] = nil
        around[id] = nil
    }

    // MARK: around a position

    /// Maximum number of plans around a position.
    package static let maximumNearbyCount = 100
    /// Maximum number of points of all plans around a position: 16 MB of coordinates.
    package static let maximumNearbyVertexCount = 1 << 20

    /// Plans whose bounding box is within `radius` metres of a position, nearest first, within the limits. Plans from
    /// the last call are not read again.
    package mutating func plans(around position: GeodeticPosition, radius: Double) -> [FloorPlan] {
        var (found, kept, vertices): ([FloorPlan], [String: FloorPlan], Int) = ([], [:], 0)
        for (plan, distance) in Self.nearest(plans(), position) {
            vertices += plan.vertices
            guard distance <= radius, found.count < Self.maximumNearbyCount, vertices <= Self.maximumNearbyVertexCount
            else { break }
            guard let floorPlan = around[plan.id] ?? read(plan.id) else { continue }
            found.append(floorPlan)
            kept[plan.id] = floorPlan
        }
        around = kept
        return found
    }

    /// Nil if the file cannot be read, which is logged.
    private mutating func read(_ id: String) -> FloorPlan? {
        do {
            let (plan, document) = try document(id)
            return try PlanDocument.read(document, id: id, name: plan.name)
        } catch {
            Self.log.write(.error, "plan '\(id)' is left out: \(error)")
            return nil
        }
    }

    private static let log = LogLimiter("plans around", lines: 5, interval: 60_000_000_000)
}
