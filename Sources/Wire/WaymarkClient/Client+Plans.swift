import Linux
import WaymarkInterface

/// Floor plans.
extension Waymark.Client {
    /// Maximum size of a plan's document. Unit: bytes.
    public static let longestPlanDocument = 16 << 20

    /// Stores the plan of a document in the daemon, replacing the plan with the same id.
    ///
    /// - Parameters:
    ///   - descriptor: a regular file, read from its current offset.
    ///   - id: id of the plan; nil for an id that the daemon derives from the document.
    ///   - name: name of the plan; nil for the name in the document.
    @discardableResult
    public func importPlan(
        descriptor: Int32, id: String? = nil, name: String? = nil
    ) throws(WaymarkError) -> Waymark.Plan {
        try call(PlanInterface.Import(descriptor: 0, id: id, name: name), descriptors: [descriptor]).plan
    }

    /// Stores the plan of a document in the daemon, replacing the plan with the same id.
    ///
    /// - Parameters:
    ///   - id: id of the plan; nil for an id that the daemon derives from the document.
    ///   - name: name of the plan; nil for the name in the document.
    @discardableResult
    public func importPlan(
        document: [UInt8], id: String? = nil, name: String? = nil
    ) throws(WaymarkError) -> Waymark.Plan {
        let file = try Self.file(in: document, named: "plan") { .plan(.invalidDocument(path: "", reason: $0)) }
        return try importPlan(descriptor: file.descriptor, id: id, name: name)
    }

    /// Stored plans, ordered by id.
    ///
    /// - Parameter near: location from which the plans are ordered by distance, nearest first; nil to order them by id.
    public func plans(near: Waymark.Location? = nil) throws(WaymarkError) -> [Waymark.Plan] {
        try call(PlanInterface.List(near: near)).plans
    }

    /// Stored plan and its document, which is GeoJSON in UTF-8.
    public func planDocument(id: String) throws(WaymarkError) -> (plan: Waymark.Plan, document: [UInt8]) {
        var document: [UInt8] = []
        var begun: Waymark.Plan?
        while true {
            let reply = try call(PlanInterface.Get(id: id, from: document.count))
            if let begun, begun.imported != reply.plan.imported {
                throw .plan(.cannotStore(reason: "the plan was replaced while it was read: try again"))
            }
            begun = reply.plan
            document += reply.document.utf8
            guard let next = reply.next else { return (reply.plan, document) }
            guard next == document.count, !reply.document.isEmpty else {
                throw .unexpected("a part of a plan that does not continue the one before")
            }
        }
    }

    /// Stored plan, without its drawing.
    public func plan(id: String) throws(WaymarkError) -> Waymark.Plan { try call(PlanInterface.Get(id: id)).plan }

    /// Lines for drawing one level of a plan that the daemon has loaded because the wearer is near.
    ///
    /// - Parameters:
    ///   - near: location to which the coordinates of points are relative.
    ///   - radius: distance from `near` within which lines are returned, 1 to 500; nil for the daemon's default (200).
    ///     Unit: metres.
    public func planLines(
        id: String, level: String, near: Waymark.Location, radius: Double? = nil
    ) throws(WaymarkError) -> Waymark.PlanLines {
        try call(PlanInterface.GetLines(id: id, level: level, near: near, radius: radius))
    }

    /// Removes a stored plan.
    public func removePlan(id: String) throws(WaymarkError) { _ = try call(PlanInterface.Remove(id: id)) }
}

extension Waymark.Client {
    /// Makes an in-memory file with a document that is passed to the daemon.
    ///
    /// - Parameter failure: makes the error from the reason.
    static func file(
        in document: [UInt8], named name: String, failure: (String) -> WaymarkError
    ) throws(WaymarkError) -> File {
        do throws(FileError) {
            let file = try File.inMemory(name)
            try file.write(document)
            try file.seek(to: 0)
            return file
        } catch {
            throw failure("cannot pass the document to the daemon: \(error)")
        }
    }
}
