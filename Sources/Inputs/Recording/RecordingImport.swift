import Linux
import Model

/// Converts a recording of another kind into an MCAP file.
public enum RecordingImport {
    /// Copies every measurement into a new file, which is removed if the copy fails.
    ///
    /// - Parameters:
    ///   - about: description that is written into the file.
    ///   - progress: called with the number of measurements: with 0 once the file is created, then after every 10 000.
    /// - Throws: `cannotWrite`, for example if the file exists, or errors of the reader.
    public static func run(
        _ reader: any MeasurementReader, to path: String, about: RecordingAbout = RecordingAbout(),
        progress: (Int) -> Void = { _ in }
    ) throws(RecordingError) -> RecordingWriter.Counts {
        let file = try File.createRecording(path)
        do throws(RecordingError) {
            let writer = try MCAPWriter(path: path, file: file, synchronizesChunks: false)
            return try copy(reader, try RecordingEncoder(writer: writer, about: about), progress)
        } catch {
            File.remove(path)
            throw error
        }
    }

    private static func copy(
        _ reader: any MeasurementReader, _ encoder: consuming RecordingEncoder, _ progress: (Int) -> Void
    ) throws(RecordingError) -> RecordingWriter.Counts {
        var count = 0
        progress(count)
        while let measurement = try reader.next() {
            try encoder.append(measurement, at: measurement.arrival)
            count += 1
            if count % 10_000 == 0 { progress(count) }
        }
        try encoder.finish()
        return encoder.counts
    }
}
