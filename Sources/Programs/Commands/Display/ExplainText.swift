import WaymarkClient
import WaymarkInterface

package enum ExplainText {
    /// Makes a line for each large correction and for each change of the frame. All small corrections with the same
    /// cause share a line.
    ///
    /// - Parameter plan: floor plan on which the wearer is tracked, for a line at the end; nil for none.
    package static func lines(_ corrections: [Waymark.Correction], plan: Waymark.PlanUse? = nil) -> [String] {
        let last = plan.flatMap(PlanText.explanation).map { [$0] } ?? []
        return (corrections.isEmpty ? ["Content has not moved."] : moves(corrections)) + last
    }

    private static func moves(_ corrections: [Waymark.Correction]) -> [String] {
        let own = corrections.filter(hasOwnLine)
        let lines = own.map { "\(clock($0))  \(Words.line($0.text))\(effect($0))" }
        return lines + groups(corrections.filter { !hasOwnLine($0) }).map { group($0, isFirst: own.isEmpty) }
    }

    /// Motion of the queried object below which a small correction is reported together with others. Unit: metres.
    private static let minimumMove = 0.5

    /// Whether a correction has its own line: it was large, is an event, or moved the queried object by half a metre or
    /// one degree.
    private static func hasOwnLine(_ correction: Waymark.Correction) -> Bool {
        correction.large || events.contains { correction.causes.contains($0) }
            || correction.moved.map { $0 >= minimumMove } ?? false
            || correction.angle.map { $0.magnitude >= 1 } ?? false
    }

    /// Groups corrections by cause, in the order of the causes' first occurrence.
    private static func groups(_ small: [Waymark.Correction]) -> [[Waymark.Correction]] {
        var causes: [OpenWord<Waymark.FrameCause>?] = []
        for correction in small where !causes.contains(correction.mainCause) { causes.append(correction.mainCause) }
        return causes.map { cause in small.filter { $0.mainCause == cause } }
    }

    private static func group(_ alike: [Waymark.Correction], isFirst: Bool) -> String {
        let what = alike.count == 1 ? "1 small correction" : "\(alike.count) small corrections"
        let cause = alike.last?.mainCause.map { " due to \(text($0, alike.last?.plan))" } ?? ""
        let turn = alike.map(\.turn.magnitude).max() ?? 0
        let shift = alike.map(\.shift).max() ?? 0
        return "\(isFirst ? "" : "And ")\(what)\(cause), of \(size(turn, shift, alike.count))"
            + (moved(alike).map { "; it moved \($0)" } ?? "") + "."
    }

    /// Describes the size of the largest correction in a group: `turn` in degrees, `shift` in metres.
    private static func size(_ turn: Double, _ shift: Double, _ count: Int) -> String {
        guard turn.fixed(1) != "0.0" || shift.fixed(1) != "0.0" else { return "less than 0.1° and 0.1 m" }
        return "\(turn.fixed(1))° and \(shift.fixed(1)) m" + (count == 1 ? "" : " at most")
    }

    /// Describes the maximum motion of the queried object; nil if no object was queried.
    private static func moved(_ alike: [Waymark.Correction]) -> String? {
        alike.compactMap(\.moved).max().map { "\($0.fixed(1)) m" + (alike.count == 1 ? "" : " at most") }
    }

    /// Describes the effect of a correction on the queried object.
    private static func effect(_ correction: Waymark.Correction) -> String {
        guard let moved = correction.moved else { return "" }
        let angle = correction.angle.map { ", seen \($0.magnitude.fixed(1))° aside" } ?? ""
        return "; it moved \(moved.fixed(1)) m\(angle)"
    }

    /// Causes whose corrections have their own lines, however small they were.
    private static let events: [Waymark.FrameCause] = [.newGeneration, .firstPosition, .firstHeading, .headingSearch]

    private static func text(_ cause: OpenWord<Waymark.FrameCause>, _ plan: Waymark.PlanUse?) -> String {
        guard let known = cause.known else { return Words.line(cause) }
        return switch known {
        case .gnssPosition: "the GNSS position"
        case .gnssVelocity: "the GNSS velocity"
        case .magnetometer: "the magnetometer"
        case .steps: "steps"
        case .barometer: "the barometer"
        case .camera: "the odometry of the camera"
        case .aid: "a measurement by another program"
        case .plan: plan.map(PlanText.cause) ?? "a floor plan"
        case .path: "a path or the route"
        case .rest: "zero-velocity updates"
        case .unaided: "the position-hold assumption"
        case .headingMonitor: "the heading monitor"
        case .warmStart: "the warm start"
        case .calibration: "a new calibration"
        case .reanchor: "the moved origin"
        case .headingSearch, .firstPosition, .firstHeading, .newGeneration: "\(known)"
        }
    }

    /// Returns the time of day in UTC or, before the first fix, the seconds since boot.
    private static func clock(_ correction: Waymark.Correction) -> String {
        guard let utc = correction.utc else { return "\(correction.time.seconds.fixed(1)) s" }
        return String("\(utc)".dropFirst(11).prefix(8))
    }
}
