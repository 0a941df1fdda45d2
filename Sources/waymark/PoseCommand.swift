import Options
import WaymarkClient

/// `waymark pose`: the newest pose, once.
enum PoseCommand: Command {
    static let word = "pose"

    private static let format = Option.choice(
        "format", of: ["json", "geopose"], help: "As the daemon sends it (default), or as OGC GeoPose 1.0")

    static let syntax: Syntax = syntax("Shows the newest pose.", options: [format])

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let text = options[format] == "geopose" ? try geoPose() : try JSONText.line(WaymarkClient().pose())
        try Terminal.print(text)
        return .done
    }

    /// How long to wait for a pose and for the frame it stands in. Unit: seconds.
    private static let patience = 5.0

    /// The pose alone does not say where the scene lies on the earth: the frame does, and it comes with the stream.
    private static func geoPose() throws -> String {
        let deadline = Deadline(seconds: patience)
        let updates = try PoseStream(rate: 60, withFrames: true)
        var frame: Frame?
        while let update = try updates.next(until: deadline) {
            switch update {
            case .frame(let newest): frame = newest
            case .pose(let pose):
                guard pose.geo != nil, pose.headingReference == .trueNorth else { throw notKnown }
                guard let frame, frame.generation == pose.generation else { continue }
                if let line = GeoPoseText.line(pose, frame) { return line }
            }
        }
        throw notKnown
    }

    private static let notKnown = CommandError.failed(
        "position and true heading are not known yet, and GeoPose needs both; 'waymark wait' waits for them")
}
