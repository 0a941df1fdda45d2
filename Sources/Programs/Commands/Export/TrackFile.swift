import Glibc
import Linux
import Recording
import Documents

/// Writes the track of a recording to a file in another program's format.
struct TrackFile {
    let recording: String
    let content: RecordedTrack.Content
    let format: TrackFormat
    /// Maximum rate of points; nil for all points. Unit: hertz.
    let rate: Double?
    /// Path, or `-` for standard output.
    let output: String
    /// Whether positions are in the frame of the scene.
    var isInScene = false

    /// Number of points between updates of the progress line.
    private static let step = 5_000

    /// Writes the track. If the recording has a flaw, writes the points before the flaw, and then throws it. Leaves no
    /// file if there are no points.
    func write() throws {
        // Created first, so that an unwritable file fails early.
        let sink = try TextSink(output)
        do {
            try write(to: sink)
        } catch let error as RecordingError where sink.isComplete {
            throw error
        } catch {
            sink.discard()
            throw sink.failure ?? error
        }
    }

    private func write(to sink: TextSink) throws {
        let progress = ProgressLine()
        defer { progress.end() }
        let track = try RecordedTrack(path: recording, content: content)
        if format.needsUTC, !track.hasUTC {
            throw CommandError.failed(
                "\(recording) cannot be written as \(format.rawValue), whose points need UTC: no fix of it reports the "
                    + "time")
        }
        var export = TrackExport(format, description(track), rate: rate)
        var count = 0
        var flaw: RecordingError?
        do throws(RecordingError) {
            try track.read { point throws(RecordingError) in
                count += 1
                if count % Self.step == 0 { progress.show("\(count) points") }
                export.add(point)
                try sink.pass(&export)
            }
        } catch {
            // A failure of the output is not a flaw of the recording.
            guard sink.failure == nil else { throw error }
            flaw = error
        }
        export.finish()
        progress.end()
        for warning in track.warnings { Terminal.complain("waymark export: warning: \(warning)") }
        guard export.points > 0 else { throw flaw ?? nothing(count) }
        try sink.finish(&export)
        if output != "-" { Terminal.complain("\(output): \(export.points) points") }
        if let flaw { throw flaw }
    }

    private func description(_ track: RecordedTrack) -> TrackDescription {
        TrackDescription(
            name: recording.recordingName,
            creator: "waymark \(Program.version)", origin: content == .receiver ? .receiver : .fusion,
            hasUTC: track.hasUTC, isInScene: isInScene)
    }

    /// Error that says why there are no points, and how to get some.
    private func nothing(_ count: Int) -> any Error {
        let reason =
            switch (content, count) {
            case (.fused, 0):
                "has no published poses: '--what replayed' runs the estimator on its measurements, '--what receiver' "
                    + "exports its fixes"
            case (.receiver, 0): "has no fixes of a receiver"
            case (.replayed, 0): "gives no pose: it has no samples of gyroscope and accelerometer, or too few"
            case (_, _) where format == .tum && !isInScene:
                "has no pose with both a position and a heading from true north"
            default: "has no pose with a position: the position was unknown throughout"
            }
        return CommandError.failed("\(recording) \(reason)")
    }
}

/// Writes text in pieces to a new file or to standard output.
final class TextSink {
    /// Number of bytes that are gathered before they are written.
    private static let piece = 64 * 1024

    private let path: String
    private let file: File
    /// Error of the output, for example that the reader of standard output has closed it.
    private(set) var failure: (any Error)?
    /// Whether the whole text was written.
    private(set) var isComplete = false

    /// - Parameter path: path of a file that does not exist yet; `-` is standard output.
    init(_ path: String) throws(CommandError) {
        self.path = path
        file = path == "-" ? File(owning: dup(STDOUT_FILENO)) : try NewFile.create(path)
        if path != "-" { UnfinishedFile.begin(path) }
    }

    /// Writes the text of an export once enough has been gathered.
    func pass(_ export: inout TrackExport) throws(RecordingError) {
        guard export.text.count >= Self.piece else { return }
        do {
            try write(export.text.bytes)
        } catch {
            failure = error
            throw .cannotWrite(path: path, reason: "\(error)")
        }
        export.removeText()
    }

    /// Writes the remaining text.
    func finish(_ export: inout TrackExport) throws {
        try write(export.text.bytes)
        export.removeText()
        isComplete = true
        UnfinishedFile.end()
    }

    /// Deletes the incomplete file.
    func discard() {
        if path != "-" { File.remove(path) }
        UnfinishedFile.end()
    }

    private func write(_ bytes: [UInt8]) throws {
        guard path != "-" else { return try Terminal.print(bytes: bytes) }
        do throws(FileError) {
            try file.write(bytes)
        } catch {
            throw CommandError.failed("cannot write \(path): \(error)")
        }
    }
}
