import WaymarkClient

/// The picture that `waymark watch` redraws: the newest pose, the scene frame and what lies ahead.
public struct LiveView: Sendable {
    /// Scene frame; nil until the daemon has published one.
    public var frame: Waymark.Frame?
    /// Items ahead, in the order in which they are shown.
    public var ahead: [Waymark.Item] = []
    /// Poses that came too fast to be shown, since the start.
    public private(set) var missed = 0
    private var pose: Waymark.Pose?

    /// Makes a view that waits for the first pose.
    public init() {}

    /// Takes the newest pose, to be drawn next.
    public mutating func show(_ pose: Waymark.Pose) {
        missed += pose.missed ?? 0
        self.pose = pose
    }

    /// Maximum number of advices: the wearer follows one after the other.
    public static let adviceLimit = 2

    /// Maximum number of items ahead that are shown.
    public static let aheadLimit = 10

    /// The lines to draw; labels in the first column.
    public var lines: [String] {
        guard let pose else { return ["waiting for the first pose; see 'waymark status' for what is missing"] }
        var rows: [(label: String, text: String)] = [
            ("state", "\(pose.state)"),
            ("position", PoseText.geo(pose)),
            ("", PoseText.scene(pose)),
            ("heading", PoseText.heading(pose)),
            ("motion", PoseText.motion(pose)),
            ("frame", PoseText.frame(pose, frame)),
            ("sources", pose.sources.isEmpty ? "none" : Words.list(pose.sources)),
            ("time", PoseText.time(pose) + (missed > 0 ? "   \(missed) poses skipped" : "")),
        ]
        let reasons = Words.explanations(of: pose.reasons) + pose.reasons.unknown.map { Words.line($0) }
        for (index, reason) in reasons.enumerated() {
            rows.insert((index == 0 ? "because" : "", reason), at: 1 + index)
        }
        let advice = AdviceText.lines(state: pose.state, reasons: pose.reasons)
        for (index, line) in advice.prefix(Self.adviceLimit).enumerated() {
            rows.insert((index == 0 ? "advice" : "", line), at: 1 + reasons.count + index)
        }
        rows.append(("", ""))
        if ahead.isEmpty { rows.append(("ahead", "nothing")) }
        for (index, item) in ahead.prefix(Self.aheadLimit).enumerated() {
            rows.append((index == 0 ? "ahead" : "", AheadText.line(item)))
        }
        return rows.map { $0.text.isEmpty ? $0.label : $0.label.left(10) + $0.text }
    }
}
