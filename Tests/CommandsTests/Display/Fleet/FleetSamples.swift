import Commands
import Fleet
import WaymarkInterface

/// Fleets for pictures, made of messages as wearers publish them.
enum FleetSamples {
    /// 2026-06-21T00:00:00Z. Unit: ns.
    private static let midsummer: Int64 = 1_782_000_000_000_000_000

    static func time(_ seconds: Double) -> UTCTime { UTCTime(nanoseconds: midsummer + Int64(seconds * 1e9)) }

    static func pose(
        _ sequence: Int, latitude: Double, longitude: Double, at seconds: Double, quaternion: String = "",
        more: String = ""
    ) -> String {
        """
        {"time":"\(time(seconds))","clock":"gnss","sequence":\(sequence)\(more),\
        "position":{"lat":\(latitude),"lon":\(longitude),"h":400}\(quaternion),\
        "accuracy":{"horizontal":2.5,"vertical":3,"heading":4},"state":"localized"}
        """
    }

    /// Upright, looking east.
    static let lookingEast = #","quaternion":{"x":0.5,"y":-0.5,"z":-0.5,"w":0.5}"#

    static func state(_ members: String = #""daemon":true,"state":"localized""#, at seconds: Double = 0) -> String {
        #"{"online":true,"time":"\#(time(seconds))",\#(members)}"#
    }

    /// A roster that has taken messages, with topics without their first part.
    static func roster(_ messages: [(String, String)], at seconds: Double = 0, into roster: FleetRoster? = nil)
        -> FleetRoster
    {
        var roster = roster ?? FleetRoster(root: "waymark")
        for (topic, payload) in messages {
            _ = roster.take(
                topic: "waymark/\(topic)", payload: Array(payload.utf8), isRetained: false, now: time(seconds))
        }
        return roster
    }

    /// A view of a roster at a moment.
    static func view(_ roster: FleetRoster, at seconds: Double = 1) -> FleetView {
        var view = FleetView(root: "waymark", broker: "mqtt://127.0.0.1:1883", now: time(0))
        view.show(roster, now: time(seconds))
        return view
    }

    /// Three wearers at corners of a square of 200 m; the daemon of one is gone.
    static let three = roster([
        ("ada/state", state(#""daemon":true,"state":"localized","motion":"foot""#)),
        ("ada/pose", pose(1, latitude: 47, longitude: 8, at: 0, quaternion: lookingEast)),
        ("bob/state", state(#""daemon":true,"state":"limited","reasons":["noGNSSData"]"#)),
        ("bob/pose", pose(1, latitude: 47.0018, longitude: 8, at: 0)),
        ("eve/pose", pose(1, latitude: 47, longitude: 8.00263, at: 0)),
        ("eve/state", state(#""daemon":false"#)),
    ])
}
