import Estimation
import Model
import WaymarkInterface

/// Finds the changes of trust in sources that are worth a line of the journal: a source becomes refused, or is trusted
/// again.
package struct AidTrustLog {
    private struct Subject: Hashable {
        let source: SourceName
        let kind: OfferKind
    }

    /// Sources that were reported as refused, and have not been trusted since.
    private var refused: Set<Subject> = []

    package init() {}

    /// Returns journal lines about the changes of trust since the previous call.
    package mutating func changes(_ found: [OfferTrust]) -> [String] {
        let lines = found.compactMap { line(about: $0) }
        // The estimator forgets sources that have been silent for long, so they are forgotten here too.
        if refused.count > found.count {
            refused.formIntersection(found.map { Subject(source: $0.source, kind: $0.kind) })
        }
        return lines
    }

    private mutating func line(about trust: OfferTrust) -> String? {
        let subject = Subject(source: trust.source, kind: trust.kind)
        let name = "\(trust.kind.message) of source \(trust.source.text)"
        switch trust.state {
        case .refused:
            guard refused.insert(subject).inserted else { return nil }
            return "\(name) refused" + (trust.cause.map { " (\($0.message))" } ?? "")
        case .trusted: return refused.remove(subject).map { _ in "\(name) trusted again" }
        case .watched: return nil
        }
    }
}
