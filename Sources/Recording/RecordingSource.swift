import Linux

/// Opens whatever kind of recording a path leads to.
public enum RecordingSource {
    public static func open(_ path: String) throws(RecordingError) -> any MeasurementReader {
        let status: File.Status
        do throws(FileError) {
            status = try File.status(of: path)
        } catch {
            throw .cannotRead(path: path, reason: error.description)
        }
        guard status.isDirectory else { throw .notARecording(path: path, reason: "it is not a folder") }
        return try SensorFolder(path: path)
    }
}
