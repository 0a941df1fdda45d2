import Configuration
import Recording
import Documents

extension Command {
    /// Formats that write a whole recording to an MCAP file, instead of only its track.
    private static let (foxglove, ros2) = ("foxglove", "ros2")
    private static let formats = TrackFormat.allCases.map(\.rawValue) + [foxglove, ros2]

    private static let format = Option.choice(
        "format", value: "FORMAT", of: formats, help: "Format of the output (default: the ending of FILE)")
    private static let what = Option.choice(
        "what", of: RecordedTrack.Content.allCases.map(\.rawValue),
        help: "Published poses (default), fixes of the receiver, or poses of the estimator re-run on the recording")
    private static let output = Option.text(
        "output", short: "o", value: "FILE", help: "Write to FILE, which must not exist yet, instead of standard output"
    )
    private static let rate = Option.number(
        "rate", value: "HZ", in: 0.001...100_000,
        help: "At most HZ points per second (default: 1; all points for csv, tum, foxglove and ros2)")

    private static let frame = Option.choice(
        "frame", of: ["earth", "scene"],
        help: "Positions of tum: east, north, up at the first one (default), or those of content, which never jump")

    private static let encoding = Option.choice(
        "encoding", of: MessageEncoding.foxglove.map(\.rawValue),
        help: "With foxglove: form of the messages by Foxglove's schemas (default: protobuf)")

    static let export = Command(
        "export", "Convert the track of a recording to the format of other programs.", operands: [Operand("RECORDING")],
        options: [format, what, output, rate, frame, encoding], usesDaemon: false,
        notes: """
            FORMAT is gpx, geojson, mf-json, kml, csv, tum, nmea, foxglove or ros2.
            RECORDING is an MCAP file or, unless published poses are exported, a folder with imu.csv.
            The formats foxglove and ros2 are MCAP files with a message for each sample, ros2 for ROS 2, as rosbag2 has it.
            Heights of gpx, kml and nmea are above mean sea level, by the geoid of the fixes or EGM96.
            """
    ) { options in
        let content = options[what].flatMap(RecordedTrack.Content.init) ?? .fused
        if let format = try fileFormat(options) { return try exportFile(options, content, format) }
        guard let format = options[format].flatMap(TrackFormat.init) ?? ending(options[output]) else {
            let all = formats.joined(separator: ", ")
            throw Misuse("--format is needed where no --output has its ending: one of \(all)")
        }
        if format == .tum, content == .receiver {
            throw Misuse("fixes of a receiver have no orientation, which the format tum needs")
        }
        let isInScene = options[frame] == "scene"
        if isInScene, format != .tum {
            throw Misuse("--frame=scene is for the format tum: the others have positions on the earth")
        }
        try TrackFile(
            recording: options.operands[0], content: content, format: format,
            rate: options[rate] ?? format.defaultRate, output: options[output] ?? "-",
            isInScene: isInScene
        ).write()
        return .done
    }

    /// Returns the format of the MCAP file that the options request; nil if they request a track.
    private static func fileFormat(_ options: ParsedOptions) throws -> MCAPExport.Format? {
        let encoding = options[encoding].flatMap(MessageEncoding.init)
        let isFile = options[output]?.lowercased().hasSuffix(".mcap") ?? false
        if options[format] == foxglove || options[format] == nil && isFile { return .foxglove(encoding ?? .protobuf) }
        guard encoding == nil else { throw Misuse("--encoding is for the format foxglove alone") }
        return options[format] == ros2 ? .ros2 : nil
    }

    private static func exportFile(
        _ options: ParsedOptions, _ content: RecordedTrack.Content, _ format: MCAPExport.Format
    ) throws -> ExitCode {
        guard let path = options[output], path != "-" else {
            throw Misuse("an MCAP file needs --output: its summary is not text for a terminal or a pipe")
        }
        let outcome = try UnfinishedFile.make(path) { step in
            try MCAPExport.run(options.operands[0], to: path, as: format, content: content, rate: options[rate]) {
                step($1, "\($0) entries")
            }
        }
        for warning in outcome.warnings { Terminal.complain("waymark export: warning: \(warning)") }
        if content == .fused, outcome.poses == 0 {
            Terminal.complain(
                "waymark export: warning: the recording has no published poses: '--what replayed' runs the estimator on "
                    + "its measurements")
        }
        let size = Words.size(Int(clamping: outcome.counts.bytes))
        Terminal.complain("\(path): \(outcome.counts.messages) entries, \(outcome.poses) poses, \(size)")
        if let flaw = outcome.flaw { throw flaw }
        return .done
    }

    /// Returns the format that a file name's extension stands for, such as that of `walk.gpx`.
    private static func ending(_ path: String?) -> TrackFormat? {
        guard let ending = path?.split(separator: ".").last?.lowercased() else { return nil }
        return TrackFormat.allCases.first { $0.ending == ending }
    }
}
