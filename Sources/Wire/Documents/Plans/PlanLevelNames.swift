import JSON
import PlanMatching

/// Reader of the names of the levels on which a part of a plan lies, in OpenStreetMap's notation: `2`, a list `0;1`, a
/// range `-1-3`, or a list with ranges.
enum PlanLevelNames {
    /// Level name of a part for which the document gives none.
    static let usual = "0"

    /// Names of the levels, without duplicates. Plain numbers have their shortest form.
    ///
    /// - Parameter path: location of the text in its document, for the problem.
    static func read(
        _ texts: String?..., at path: @autoclosure () -> String
    ) throws(DocumentProblem) -> [String] {
        var names: [String] = []
        for text in texts.compactMap({ $0 }) {
            let parts = text.split(separator: ";", maxSplits: PlanDocument.maximumLevelCount)
            guard parts.count <= PlanDocument.maximumLevelCount else { throw tooMany(path()) }
            for part in parts {
                let name = PlainText.line(String(part), maximumLength: PlanDocument.maximumLevelNameLength)
                guard let name else { continue }
                for level in try range(name, at: path()) ?? [plain(name)] where !names.contains(level) {
                    names.append(level)
                }
                guard names.count <= PlanDocument.maximumLevelCount else { throw tooMany(path()) }
            }
        }
        return names.isEmpty ? [usual] : names
    }

    /// Levels of a range of whole numbers; nil for any other name.
    private static func range(_ name: String, at path: @autoclosure () -> String) throws(DocumentProblem) -> [String]? {
        let body = name.dropFirst(name.hasPrefix("-") ? 1 : 0)
        guard let hyphen = body.firstIndex(of: "-"), let first = Int(name[..<hyphen]),
            let last = Int(name[name.index(after: hyphen)...]), !body.contains("+")
        else { return nil }
        let bounds = (min(first, last), max(first, last))
        let (width, overflow) = bounds.1.subtractingReportingOverflow(bounds.0)
        guard !overflow, width < PlanDocument.maximumLevelCount else { throw tooMany(path()) }
        return (bounds.0...bounds.1).map { "\($0)" }
    }

    /// A plain number in its shortest form, so that 1 and 1.0 are the same level.
    private static func plain(_ name: String) -> String {
        guard let value = PlaceDraft.number(name), value.magnitude < 1000 else { return name }
        return Int(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    private static func tooMany(_ path: String) -> DocumentProblem {
        DocumentProblem(path: path, message: "more than \(PlanDocument.maximumLevelCount) levels for one part")
    }
}
