import Documents
import Geometry
import JSON
import Linux
import PlanMatching

/// Folder of the plans, with one file per plan.
///
/// To be used by one thread at a time, which may have to wait for the disk.
package struct PlanStore: FileStore {
    package enum Failure: StoreFailure {
        case document(DocumentProblem)
        /// No plan with this id is stored.
        case unknown(String)
        /// The number of plans would exceed this maximum.
        case tooMany(Int)
        case store(String)
    }

    private var folder: FileFolder<PlanFile>
    private let capacity: Int
    /// Plans around the last requested position, read from their documents.
    private var around: [String: FloorPlan] = [:]

    /// Maximum number of plans that the daemon stores.
    package static let maximumPlanCount = 1000

    /// Only notes the path of the folder; reads nothing.
    package init(folder: String?, capacity: Int = PlanStore.maximumPlanCount) {
        self.folder = FileFolder(path: folder)
        self.capacity = capacity
    }

    /// Finds the stored plans. A damaged file is moved aside and logged; one of a newer version is left unchanged.
    package mutating func load() { folder.load(capacity: capacity) }

    package mutating func damagedFiles() -> [String] {
        folder.forgetReplaced()
        return folder.damaged
    }

    package var changeCount: UInt64 { folder.changeCount }

    // MARK: plans

    /// Returns the stored plans, ordered by id, or by distance if a position is given.
    package func plans(near position: GeodeticPosition? = nil) -> [StoredPlan] {
        let plans = folder.known.values.map(\.plan).sorted { $0.id < $1.id }
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
            throw .document(.whole("an id has 1 to \(StoredPlan.maximumIDLength) bytes: give another one"))
        }
        guard !FloorPlan.isOfRoute(id) else {
            throw .document(.whole("'\(FloorPlan.routeID)' begins ids of the line of a route: give another one"))
        }
        guard folder.path != nil else { throw .store("a recording is being replayed: plans are not stored") }
        guard folder.known[id] != nil || folder.known.count < capacity else { throw .tooMany(capacity) }
        let (plan, text) = try Self.read(document, id: id, name: name, imported: imported)
        let bytes = PlanFile.bytes(plan, text)
        guard let stored = try? PlanFile(beginning: bytes) else {
            throw .document(.whole("id and name are too long together"))
        }
        try folder.write(stored, bytes)
        around[id] = nil
        // This is the plan as it is read back from the file, which stores the time with less precision.
        return stored.plan
    }

    /// Returns an id that is the same for equal documents, so that importing a document again replaces its plan.
    private static func derivedID(_ document: [UInt8]) -> String {
        "plan-" + String(PlanFile.checksum(document[...]), radix: 16)
    }

    /// Reads a document and checks its limits; returns its plan, and the document to store.
    private static func read(
        _ document: [UInt8], id: String, name: String?, imported: Int64
    ) throws(Failure) -> (StoredPlan, [UInt8]) {
        do throws(DocumentProblem) {
            let plan = try PlanDocument.read(document, id: id, name: name)
            let vertices = plan.vertices
            guard vertices <= StoredPlan.maximumVertexCount else {
                throw .whole("\(vertices) points, more than \(StoredPlan.maximumVertexCount): split the plan")
            }
            guard plan.name.utf8.count <= StoredPlan.maximumNameLength else {
                throw .whole("the name is longer than \(StoredPlan.maximumNameLength) bytes: give another one")
            }
            guard let extent = PlanBox(plan) else {
                throw .whole("there is nothing in the plan")
            }
            let text = PlanDocumentWriter.bytes(of: plan)
            guard text.count <= PlanFile.maximumDocumentSize else {
                throw .whole(
                    "larger than the limit of \(PlanFile.maximumDocumentSize >> 20) MiB as GeoJSON: split the plan")
            }
            // The stored document must be readable too. It may be larger, because levels that share a feature have one
            // copy each.
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

    /// Returns a plan and its document, GeoJSON in UTF-8. A damaged file is moved aside and logged.
    package mutating func document(_ id: String) throws(Failure) -> (plan: StoredPlan, document: [UInt8]) {
        guard let stored = folder.known[id], let file = folder.file(id) else { throw .unknown(id) }
        do {
            let bytes = try file.read(maximumLength: stored.count) ?? []
            // If the file's first line differs from the known one, another program has changed the file since the
            // start.
            guard try PlanFile(beginning: bytes) == stored else {
                throw StoredFlaw.damaged("first line has changed")
            }
            return (stored.plan, try stored.document(of: bytes))
        } catch let flaw as StoredFlaw {
            folder.drop(id, flaw)
            around[id] = nil
            throw .store("the file of plan '\(id)' is damaged, import the plan again: \(flaw)")
        } catch {
            throw .store("\(file.path) cannot be read: \(error)")
        }
    }

    /// Removes a plan; it stays removed once this returns.
    package mutating func remove(_ id: String) throws(Failure) {
        guard folder.known[id] != nil else { throw .unknown(id) }
        try folder.remove(id)
        around[id] = nil
    }

    // MARK: around a position

    /// Maximum number of plans around a position.
    package static let maximumNearbyCount = 100
    /// Maximum number of points of all plans around a position: 16 MB of coordinates.
    package static let maximumNearbyVertexCount = 1 << 20

    /// Returns the plans whose bounding box is within `radius` metres of a position, nearest first, up to the two
    /// maximum numbers above. Plans from the last call are not read again.
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

    /// Reads a plan; returns nil if its file cannot be read, which is logged.
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
