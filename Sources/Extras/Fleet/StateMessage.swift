import JSON
import WaymarkInterface

/// State of a wearer, which the broker retains: the message of `…/state`.
package struct StateMessage: Hashable, Sendable {
    /// State of localization; nil while there is no pose.
    package var state: PoseInterface.LocalizationState?
    /// Reasons why the state is not better.
    package var reasons = WordSet<PoseInterface.Reason>()
    /// Whether the scene frame is good enough to place content in it; nil while there is no scene.
    package var readiness: SceneInterface.Readiness?
    package var motion: PoseInterface.MotionMode?
    /// State of the route; nil without one.
    package var route: SceneInterface.RouteState?
    package var hasDaemon = false
    /// Whether positions are withheld because the wearer may be in a private area.
    package var isWithheld = false

    package init() {}

    /// Returns the message of a connected wearer.
    package func message(version: String, time: Int64, clock: ClockReading) -> [UInt8] {
        JSONWriter.object(capacity: 512) { json in
            json.member("online", true)
            clock.write(time, into: &json)
            json.member("version", version)
            json.member("daemon", hasDaemon)
            json.member("state", state)
            json.member("reasons", reasons.isEmpty ? nil : reasons)
            json.member("readiness", readiness)
            json.member("motion", motion)
            json.member("route", route)
            if isWithheld { json.member("withheld", true) }
        }
    }

    /// Returns the message that a wearer sends before leaving, with the time of departure.
    package static func farewell(time: Int64, clock: ClockReading) -> [UInt8] {
        JSONWriter.object(capacity: 128) { json in
            json.member("online", false)
            clock.write(time, into: &json)
        }
    }

    /// Message that the broker publishes when it loses the wearer. It was given to the broker when the connection was
    /// made, so it cannot include the time of the loss.
    package static let will = Array(#"{"online":false}"#.utf8)
}
