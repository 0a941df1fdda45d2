import JSON
import WaymarkInterface

/// Health of a wearer's board: the message of `…/health`.
package struct HealthMessage: Sendable {
    /// Counts of the messages in the queue and of their results. A count starts when the queue's file is created,
    /// unless its comment states otherwise.
    package struct Counts: Hashable, Sendable {
        /// Number of poses that wait for the broker.
        package var poses = 0
        package var events = 0
        /// Size of the waiting messages. Unit: bytes.
        package var bytes = 0
        /// Number of poses dropped to make room, or because wearer or privacy settings have changed.
        package var droppedPoses: Int64 = 0
        /// Number of events that were lost because neither disk nor memory had room, or because wearer or privacy
        /// settings have changed. Also counts events, since the program's start, that the daemon no longer had when
        /// they were requested.
        package var lostEvents: Int64 = 0
        /// Number of messages that the broker has acknowledged since the program's start.
        package var published: Int64 = 0
        /// Number of times that the broker accepted a connection since the program's start.
        package var connections: Int64 = 0
        /// Number of poses and events withheld since the program's start because the wearer may have been in a private
        /// area.
        package var withheld: Int64 = 0

        package init() {}
    }

    /// Status of the daemon; nil while it does not answer.
    package var status: StatusInterface.Status?
    package var counts = Counts()

    package init() {}

    package func message(time: Int64, clock: ClockReading) -> [UInt8] {
        JSONWriter.object(capacity: 2048) { json in
            clock.write(time, into: &json)
            writeQueue(into: &json)
            if let status { Self.write(status, into: &json) }
        }
    }

    private func writeQueue(into json: inout JSONWriter) {
        json.object("queue") { json in
            json.member("poses", counts.poses)
            json.member("events", counts.events)
            json.member("bytes", counts.bytes)
            json.member("droppedPoses", counts.droppedPoses)
            json.member("lostEvents", counts.lostEvents)
        }
        json.member("published", counts.published)
        json.member("connections", counts.connections)
        json.member("withheld", counts.withheld)
    }

    private static func write(_ status: StatusInterface.Status, into json: inout JSONWriter) {
        json.object("daemon") { json in
            json.member("version", status.version)
            json.member("uptime", status.uptime, .fixed(0))
            json.member("source", status.source)
            json.member("poseRate", status.poseRate, .fixed(1))
            json.member("missedMessages", status.missedMessages)
        }
        json.member("advice", status.advice)
        json.objects("devices", status.devices) { device, json in
            json.member("name", device.name)
            json.member("state", device.state)
            json.member("gaps", device.gaps)
        }
    }
}
