import Linux

/// Opens whatever kind of recording a path leads to: a folder of sensor tables or an MCAP file.
public enum RecordingSource {
    /// Opens a recording; throws for a path that leads to neither kind.
    public static func open(_ path: String) throws(RecordingError) -> any MeasurementReader {
        let status: File.Status
        do throws(FileError) {
            status = try File.status(of: path)
        } catch {
            throw .cannotRead(path: path, reason: error.description)
        }
        if status.isDirectory { return try SensorFolder(path: path) }
        guard status.isRegular else {
            throw .notARecording(path: path, reason: "it is neither a folder nor a regular file")
        }
        return try RecordingReader(path: path)
    }
}
