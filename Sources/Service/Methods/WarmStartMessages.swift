import Messages
import Model

/// Result of the warm start, as org.waymark.Status reports it.
struct WarmStartStatusMessage: Encodable {
    struct Dropped: Encodable {
        let part: String
        let reason: String
    }

    let used: [String]
    let dropped: [Dropped]
    let age: Double?
    let detail: String?

    /// - Parameters:
    ///   - report: the estimator's; nil before it has begun, and without a warm start.
    ///   - foreign: parts that belonged to other sensors.
    ///   - absence: why there is none.
    init(_ report: WarmStartReport?, foreign: WarmStart.Parts, absence: String?) {
        used = words((report?.used ?? []).forEachWord)
        func list(_ parts: WarmStart.Parts, _ reason: String) -> [Dropped] {
            words(parts.forEachWord).map { Dropped(part: $0, reason: reason) }
        }
        dropped =
            list(foreign, "otherSensor") + list(report?.tooOld ?? [], "tooOld")
            + list(report?.implausible ?? [], "implausible") + list(report?.contradicted ?? [], "contradicted")
        age = report?.ageSeconds
        detail = absence ?? (report == nil ? "not yet: no inertial sample has arrived" : nil)
    }

    /// Result in one line for the journal.
    var line: String {
        if let detail { return detail }
        let gone = dropped.map { "\($0.part) (\($0.reason))" }.joined(separator: ", ")
        return (used.isEmpty ? "nothing used" : used.joined(separator: ", "))
            + (gone.isEmpty ? "" : "; dropped: \(gone)")
    }
}
