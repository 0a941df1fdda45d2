import Documents
import Geometry
import JSON
import Linux
import Configuration
import WaymarkClient

/// `waymark pose`: shows the newest pose, or the pose at a past time, once.
extension Command {
    private static let format = Option.choice(
        "format", of: ["json", "geopose"], help: "Output format: as sent by the daemon (default), or OGC GeoPose 1.0")

    /// Prediction time. Unit: milliseconds.
    static let predict = Option.number(
        "predict", value: "MS", in: 0...100, help: "Predict the pose MS milliseconds ahead")

    private static let moment = Option<PastMoment>(
        "at", value: "SECONDS", help: "Pose at this time: seconds since boot or, if negative, before now",
        expectation: "a time in seconds", read: PastMoment.init)

    private static let clock = Option.choice(
        "clock", of: Waymark.Clock.allCases.map(\.description),
        help: "Clock of --at (default: boottime); realtime counts from 1970")

    static let pose = Command(
        "pose", "Show the newest pose.", options: [format, predict, moment, clock]
    ) { options in
        if let moment = options[moment] {
            try Terminal.print(JSONText.line(try pose(of: moment, options)))
            return .done
        }
        guard options[clock] == nil else { throw Misuse("--clock requires --at") }
        let ahead = options[predict].map { $0 / 1000 }
        let isGeoPose = options[format] == "geopose"
        let text = isGeoPose ? try geoPose(ahead) : try JSONText.line(Waymark.Client().pose(predictAhead: ahead))
        try Terminal.print(text)
        return .done
    }

    private static func pose(of moment: PastMoment, _ options: ParsedOptions) throws -> Waymark.Pose {
        guard options[predict] == nil else { throw Misuse("--at and --predict exclude each other") }
        guard options[format] != "geopose" else {
            throw Misuse("--at does not support --format=geopose: GeoPose needs the present scene frame")
        }
        let clock = options[clock].flatMap { Waymark.Clock(word: $0) } ?? .boottime
        guard let time = moment.time(clock, now: BootClock.nanoseconds, BootClock.realtimeOffsetNanoseconds) else {
            throw Misuse("--at: the time lies before the start of the clock")
        }
        return try Waymark.Client().pose(at: time, clock: clock)
    }

    /// Timeout for a pose and its frame. Unit: seconds.
    private static let patience = 5.0

    /// Returns the newest pose as GeoPose. The alignment of the scene on the earth is not part of a pose but of the
    /// frame, so a stream is read, which has both.
    private static func geoPose(_ ahead: Double?) throws -> String {
        let deadline = Deadline(seconds: patience)
        let updates = try PoseStream(rate: 60, withFrames: true, predictAhead: ahead)
        var frame: Waymark.Frame?
        while let update = try updates.next(until: deadline) {
            switch update {
            case .frame(let newest): frame = newest
            case .pose(let pose):
                guard let geo = pose.geo, pose.headingReference == .trueNorth else { throw notKnown }
                guard let frame, frame.generation == pose.generation else { continue }
                if let line = geoPose(pose, geo, frame) { return line }
            }
        }
        throw notKnown
    }

    /// Returns the Basic-Quaternion of OGC GeoPose on one line; nil if the position or the orientation is invalid.
    private static func geoPose(_ pose: Waymark.Pose, _ geo: Waymark.Geo, _ frame: Waymark.Frame) -> String? {
        guard
            let position = GeodeticPosition(
                latitudeDegrees: geo.latitude, longitudeDegrees: geo.longitude, ellipsoidalHeight: geo.height),
            let rotationSceneFromBody = Rotation3(
                w: pose.orientation.w, x: pose.orientation.x, y: pose.orientation.y, z: pose.orientation.z)
        else { return nil }
        // The target is the filter's estimate, to which the published alignment may still be converging.
        let rotation = GeoPose.rotationENUFromBody(rotationSceneFromBody, sceneYawDegrees: frame.target.yaw)
        var json = JSONWriter()
        GeoPose.writeQuaternion(position, rotation, into: &json)
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }

    private static let notKnown = CommandError.failed(
        "position and true heading are not known yet, and GeoPose needs both; 'waymark wait' waits until they are")
}

/// A time on the command line, in seconds with up to nine decimals: since the start of a clock or, if negative, before
/// now.
struct PastMoment: Sendable {
    /// Magnitude of the typed number. Unit: nanoseconds.
    private let nanoseconds: Int64
    private let isBeforeNow: Bool

    /// Parses a time; nil if the text is not such a number.
    init?(_ text: String) {
        isBeforeNow = text.hasPrefix("-")
        let parts = text.drop { $0 == "-" || $0 == "+" }.split(
            separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? parts[1] : ""
        let signs = text.utf8.count - parts.joined(separator: ".").utf8.count
        guard let whole = parts.first, signs <= 1, !whole.isEmpty, fraction.utf8.count <= 9,
            (whole + fraction).utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let digits = Int64("\(whole)\(fraction)\(String(repeating: "0", count: 9 - fraction.utf8.count))")
        else { return nil }
        nanoseconds = digits
    }

    /// Converts to the time of a clock; nil if it is before the start of the clock.
    ///
    /// - Parameters:
    ///   - now: boot time, nanoseconds.
    ///   - realtimeOffset: nanoseconds to add to boot time to get CLOCK_REALTIME.
    func time(_ clock: Waymark.Clock, now: Int64, _ realtimeOffset: Int64) -> Waymark.Time? {
        var moment = nanoseconds
        if isBeforeNow {
            moment = now + (clock == .realtime ? realtimeOffset : 0) - nanoseconds
        }
        guard moment >= 0 else { return nil }
        return Waymark.Time(nanoseconds: moment)
    }
}
