import Geometry
import Model

/// A correction in words, for people who ask why content moved.
extension FrameCorrection {
    /// Such as "content turned 4.2° clockwise and shifted 0.8 m over 0.9 s, because the receiver's velocity showed another
    /// heading".
    public var text: String {
        if causes.contains(.newGeneration) { return "the scene frame was set anew: everything has to be placed again" }
        let first: FrameCauses = [FrameCauses(.firstPosition), FrameCauses(.firstHeading)]
        if !causes.isDisjoint(with: first) { return Self.beginning(causes) }
        guard let movement else {
            return causes.contains(.reanchor)
                ? "the origin of east, north and up came along with the wearer; content stayed where it was"
                : "content hardly moved" + because
        }
        return "content \(movement) \(pace)\(because)\(pairs)"
    }

    /// Such as "; 34 pairs of velocities say 21.4° ± 3.0° clockwise, 12 pairs of positions say 24.0° ± 5.1° clockwise".
    private var pairs: String {
        guard let evidence else { return "" }
        let parts = [("velocities", evidence.velocities), ("positions", evidence.positions)].compactMap { kind, pairs in
            pairs.flatMap { Self.text($0, kind) }
        }
        return parts.isEmpty ? "" : "; " + parts.joined(separator: ", ")
    }

    private static func text(_ pairs: HeadingPairs, _ kind: String) -> String? {
        guard let correction = pairs.correction.map({ Angle.degrees(radians: $0) }) else { return nil }
        let deviation = decimal(Angle.degrees(radians: pairs.deviation))
        let said = "\(decimal(correction.magnitude))° ± \(deviation)° \(sense(correction))"
        return "\(pairs.count) pairs of \(kind) say \(said)"
    }

    /// The scene's axes against the earth counter-clockwise is content in the scene clockwise.
    private static func sense(_ turn: Double) -> String { turn > 0 ? "clockwise" : "counter-clockwise" }

    private static func beginning(_ causes: FrameCauses) -> String {
        let subject =
            causes.contains(.firstPosition)
            ? causes.contains(.firstHeading) ? "position and heading were" : "the position was" : "the heading was"
        return "\(subject) found, or lost: the frame was laid out by it at once"
    }

    private var pace: String { duration >= 0.05 ? "over \(Self.decimal(duration)) s" : "at once" }

    private var movement: String? {
        var parts: [String] = []
        let degrees = Angle.degrees(radians: turn)
        if degrees.magnitude >= 0.05 {
            parts.append("turned \(Self.decimal(degrees.magnitude))° \(Self.sense(degrees))")
        }
        if shift >= 0.05 { parts.append("shifted \(Self.decimal(shift)) m") }
        // Content goes the other way than the wearer.
        let rise = -displacement.z
        if rise.magnitude >= 0.05 { parts.append("\(rise > 0 ? "rose" : "sank") by \(Self.decimal(rise.magnitude)) m") }
        return Self.list(parts)
    }

    /// The cause that did the most; of many others that helped a little, none is named.
    private var because: String {
        let all = causes.list.filter { $0 != .reanchor }
        let main = all.filter { $0 == mainCause }
        let named = main.isEmpty || all.count <= Self.mostNamed ? main + all.filter { $0 != mainCause } : main
        guard let reasons = Self.list(named.map(\.reason)) else { return "" }
        return ", because \(reasons)"
    }

    private static let mostNamed = 2

    private static func list(_ parts: [String]) -> String? {
        guard let last = parts.last else { return nil }
        return parts.count == 1 ? last : parts.dropLast().joined(separator: ", ") + " and " + last
    }

    /// With one digit behind the point; up to a million.
    private static func decimal(_ value: Double) -> String {
        let tenths = Int((min(1e6, max(0, value.isFinite ? value : 0)) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension FrameCause {
    /// A clause that can stand behind "because".
    fileprivate var reason: String {
        switch self {
        case .gnssPosition: "satellite positions lay elsewhere"
        case .gnssVelocity: "the receiver's velocity showed another direction of motion"
        case .magnetometer: "the magnetic field showed another north"
        case .steps: "the steps told another speed"
        case .barometer: "the air pressure told another height"
        case .rest: "the body rested"
        case .unaided: "without satellites the wearer was thought to stay"
        case .headingSearch: "another answer to where north is fits the motion better"
        case .headingMonitor: "felt and measured motion contradicted the heading for long"
        case .warmStart: "what an earlier run had learned was taken over"
        case .calibration: "another calibration was put in force"
        case .firstPosition: "the position was found"
        case .firstHeading: "the heading was found"
        case .newGeneration: "the frame was set anew"
        case .reanchor: "the origin came along"
        }
    }
}
