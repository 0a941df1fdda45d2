/// Columns of samples in a table: three for each sensor, under one of the usual names.
struct SampleColumns {
    /// Names of the three axes, by sensor; the first set is that of Waymark's own tables.
    private static let force = [["ax", "ay", "az"], ["acc_x", "acc_y", "acc_z"], ["accel_x", "accel_y", "accel_z"]]
    private static let rate = [["gx", "gy", "gz"], ["gyr_x", "gyr_y", "gyr_z"], ["gyro_x", "gyro_y", "gyro_z"]]
    private static let field = [["mx", "my", "mz"], ["mag_x", "mag_y", "mag_z"]]

    /// All names that are searched for.
    static let all = (force + rate + field).flatMap { $0 }

    /// Index in `all` of the first of the sensor's three columns; nil if the table has none for this sensor.
    let force: Int?
    let rate: Int?
    let field: Int?
    let hasTime: Bool

    /// - Throws: if the table has no columns of any sensor, or only some of a sensor's three columns.
    init(_ reader: CSVReader) throws(RecordingError) {
        force = try Self.first(of: Self.force, reader)
        rate = try Self.first(of: Self.rate, reader)
        field = try Self.first(of: Self.field, reader)
        hasTime = reader.has("t_s")
        guard force != nil || rate != nil || field != nil else {
            throw .malformed(
                path: reader.path, line: 1,
                problem: "it has no columns of samples: ax, ay, az, or gx, gy, gz, or mx, my, mz are needed")
        }
    }

    private static func first(of sets: [[String]], _ reader: CSVReader) throws(RecordingError) -> Int? {
        for names in sets where names.contains(where: reader.has) {
            try reader.require(names)
            return all.firstIndex(of: names[0])
        }
        return nil
    }
}
