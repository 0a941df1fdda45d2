import Options
import WaymarkClient

/// `waymark pose`: the newest pose, once.
enum PoseCommand: Command {
    static let word = "pose"

    private static let format = Option.choice(
        "format", of: ["json", "geopose"], help: "As the daemon sends it (default), or as OGC GeoPose 1.0")

    /// Unit: milliseconds.
    static let predict = Option.number(
        "predict", value: "MS", in: 0...100, help: "As it will be MS milliseconds later")

    static let syntax: Syntax = syntax("Shows the newest pose.", options: [format, predict])

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let ahead = options[predict].map { $0 / 1000 }
        let isGeoPose = options[format] == "geopose"
        let text = isGeoPose ? try geoPose(ahead) : try JSONText.line(WaymarkClient().pose(predictAhead: ahead))
        try Terminal.print(text)
        return .done
    }

    /// How long to wait for a pose and for the frame it stands in. Unit: seconds.
    private static let patience = 5.0

    /// The pose alone does not say where the scene lies on the earth: the frame does, and it comes with the stream.
    private static func geoPose(_ ahead: Double?) throws -> String {
        let deadline = Deadline(seconds: patience)
        let updates = try PoseStream(rate: 60, withFrames: true, predictAhead: ahead)
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
