import Fleet
import WaymarkInterface

/// Texts for the wearers of a fleet, shared by the live view and plain lines.
package enum FleetText {
    /// Summarizes a wearer on one line, for output other than a terminal.
    ///
    /// - Parameter now: current time by this computer's clock.
    package static func line(_ wearer: ObservedWearer, now: UTCTime) -> String {
        var parts = ["\(now)", wearer.identifier, WearerCondition(wearer, now: now).text]
        if let pose = wearer.pose { parts += [position(pose), heading(pose), age(of: pose, now: now)] }
        if let event = wearer.event { parts.append(self.event(event, now: now)) }
        return parts.joined(separator: "  ")
    }

    static func position(_ pose: ObservedPose) -> String {
        let (latitude, longitude) = (pose.position.latitudeDegrees.fixed(6), pose.position.longitudeDegrees.fixed(6))
        return "\(latitude)° \(longitude)°  \(Words.accuracy(pose.horizontalAccuracy, " m"))"
    }

    static func heading(_ pose: ObservedPose) -> String {
        guard let heading = pose.heading else { return "heading not known" }
        return "heading \(Words.bearing(heading, digits: 0)) \(Words.compassPoint(heading))"
    }

    /// Formats the age of a pose, with a note if the pose was sent late because it had to wait on the board.
    static func age(of pose: ObservedPose, now: UTCTime) -> String {
        let late = pose.delay.map { ", sent \(age($0)) late" } ?? ""
        return "\(age(since: pose.time, now: now)) old\(late)"
    }

    static func event(_ event: ObservedEvent, now: UTCTime) -> String {
        let name = OutsideText.line(event.text ?? event.identifier ?? "")
        let kind = OutsideText.line(event.kind.description)
        return "\(kind)\(name.isEmpty ? "" : " \(name)"), \(age(since: event.time, now: now)) ago"
    }

    /// Formats the age of a timestamp; zero if the timestamp is from a clock that is ahead of this computer's.
    static func age(since time: UTCTime, now: UTCTime) -> String {
        age(Double(max(0, now.nanoseconds &- time.nanoseconds)) / 1e9)
    }

    /// Formats an age in its largest unit only: "5 s", "3 min", "5 h", "2 d".
    static func age(_ seconds: Double) -> String {
        let whole = Int(max(0, min(seconds, 1e10)))
        switch whole {
        case ..<60: return "\(whole) s"
        case ..<3600: return "\(whole / 60) min"
        case ..<86_400: return "\(whole / 3600) h"
        default: return "\(whole / 86_400) d"
        }
    }
}
