import Geometry
import Model

/// Description of a correction, for `waymark explain`.
extension FrameCorrection {
    /// Text such as "content turned 4.2° clockwise and shifted 0.8 m over 0.9 s, because of the GNSS velocity".
    public var text: String {
        if causes.contains(.newGeneration) { return "the scene frame was reset: all content has to be placed again" }
        let first: FrameCauses = [FrameCauses(.firstPosition), FrameCauses(.firstHeading)]
        if !causes.isDisjoint(with: first) { return beginning }
        guard let movement else {
            return causes.contains(.reanchor)
                ? "the origin of the east-north-up frame was moved to the wearer; content did not move"
                : "content moved only slightly" + because
        }
        return "content \(movement) \(pace)\(because)\(pairs)"
    }

    /// Text such as "; 34 pairs of velocities indicate 21.4° ± 3.0° clockwise".
    private var pairs: String {
        guard let evidence else { return "" }
        let parts = [("velocities", evidence.velocities), ("positions", evidence.positions)].compactMap { kind, pairs in
            pairs.flatMap { Self.text($0, kind) }
        }
        return parts.isEmpty ? "" : "; " + parts.joined(separator: ", ")
    }

    private static func text(_ pairs: HeadingPairs, _ kind: String) -> String? {
        guard let correction = pairs.correction.map({ Angle.degrees(radians: $0) }) else { return nil }
        let standardDeviation = decimal(Angle.degrees(radians: pairs.standardDeviation))
        let value = "\(decimal(correction.magnitude))° ± \(standardDeviation)° \(sense(correction))"
        return "\(pairs.count) pairs of \(kind) indicate \(value)"
    }

    /// A counter-clockwise rotation of the scene's axes relative to the earth turns content in the scene clockwise.
    private static func sense(_ turn: Double) -> String { turn > 0 ? "clockwise" : "counter-clockwise" }

    /// Text for the moment at which a position or heading becomes known, or is lost. There is then no content that
    /// could be corrected smoothly.
    private var beginning: String {
        var changes: [String] = []
        if causes.contains(.firstPosition) { changes.append("position " + (isPositionKnown ? "acquired" : "lost")) }
        if causes.contains(.firstHeading) { changes.append("heading " + (isHeadingKnown ? "acquired" : "lost")) }
        return changes.joined(separator: " and ") + ": the scene frame was realigned at once"
    }

    private var pace: String { duration >= 0.05 ? "over \(Self.decimal(duration)) s" : "at once" }

    private var movement: String? {
        var parts: [String] = []
        let degrees = Angle.degrees(radians: turn)
        if degrees.magnitude >= 0.05 {
            parts.append("turned \(Self.decimal(degrees.magnitude))° \(Self.sense(degrees))")
        }
        if shift >= 0.05 { parts.append("shifted \(Self.decimal(shift)) m") }
        // Content moves opposite to the wearer.
        let rise = -displacement.z
        if rise.magnitude >= 0.05 { parts.append("\(rise > 0 ? "rose" : "sank") by \(Self.decimal(rise.magnitude)) m") }
        return Self.list(parts)
    }

    /// The main cause. Other causes are named only if they are few.
    private var because: String {
        let all = causes.list.filter { $0 != .reanchor }
        let main = all.filter { $0 == mainCause }
        let named = main.isEmpty || all.count <= Self.maximumNamedCount ? main + all.filter { $0 != mainCause } : main
        guard let reasons = Self.list(named.map(reason)) else { return "" }
        return ", because of \(reasons)"
    }

    private func reason(_ cause: FrameCause) -> String {
        guard cause == .plan, let plan else { return cause.reason }
        return "the plan '\(plan.title)', level \(plan.level)"
    }

    private static let maximumNamedCount = 2

    private static func list(_ parts: [String]) -> String? {
        guard let last = parts.last else { return nil }
        return parts.count == 1 ? last : parts.dropLast().joined(separator: ", ") + " and " + last
    }

    /// Text of a number rounded to one decimal, at most a million.
    private static func decimal(_ value: Double) -> String {
        let tenths = Int((min(1e6, max(0, value.isFinite ? value : 0)) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension FrameCause {
    /// A noun phrase that follows "because of".
    fileprivate var reason: String {
        switch self {
        case .gnssPosition: "the GNSS position"
        case .gnssVelocity: "the GNSS velocity"
        case .magnetometer: "the magnetometer"
        case .steps: "the step length"
        case .barometer: "the barometric height"
        case .camera: "the odometry of the camera"
        case .aid: "a measurement by another program"
        case .plan: "a floor plan"
        case .path: "a path or the route"
        case .rest: "a zero-velocity update at rest"
        case .unaided: "the position-hold assumption without aiding"
        case .headingSearch: "a heading hypothesis that fits the motion better"
        case .headingMonitor: "a persistent contradiction between inertial and GNSS motion"
        case .warmStart: "the warm start"
        case .calibration: "a new sensor calibration"
        case .firstPosition: "the first position"
        case .firstHeading: "the first heading"
        case .newGeneration: "a reset of the frame"
        case .reanchor: "the moved origin"
        }
    }
}
