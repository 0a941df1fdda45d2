import JSON

/// Table with one row for each point; cells of unknown values are empty.
///
/// Columns that also exist in `gnss.csv` have the same names. Accuracies are 68 %; the quaternion rotates body vectors
/// to ENU.
struct CSVTrackWriter: TrackWriter {
    static let header: StaticString = """
        t_s,utc,utc_s,lat_deg,lon_deg,alt_m,alt_msl_m,hacc_m,vacc_m,sde_m,sdn_m,sdu_m,ve_mps,vn_mps,vu_mps,\
        qw,qx,qy,qz,yaw_acc_deg,dead_reckoned

        """

    func accepts(_ point: TrackSample) -> Bool { true }

    mutating func begin(into text: inout TextBuffer) { text.append(Self.header) }

    mutating func write(_ point: TrackSample, startsSegment: Bool, into text: inout TextBuffer) {
        text.append(seconds: point.time.nanoseconds)
        text.append(UInt8(ascii: ","))
        if let utc = point.utc { text.append(rfc3339: utc) }
        text.append(UInt8(ascii: ","))
        if let utc = point.utc { text.append(seconds: utc) }
        let (position, deviation) = (point.position, point.standardDeviation)
        Self.append(position?.latitudeDegrees, 9, &text)
        Self.append(position?.longitudeDegrees, 9, &text)
        Self.append(position?.ellipsoidalHeight, 4, &text)
        Self.append(position?.seaLevelHeight, 4, &text)
        Self.append(deviation.horizontalAccuracy, 4, &text)
        for value in [deviation.up, deviation.east, deviation.north, deviation.up] { Self.append(value, 4, &text) }
        let velocity = point.velocityENU
        for value in [velocity.east, velocity.north, velocity.up] { Self.append(value, 6, &text) }
        let rotation = point.rotationENUFromBody
        for value in [rotation?.w, rotation?.x, rotation?.y, rotation?.z] { Self.append(value, 9, &text) }
        Self.append(point.yawAccuracyDegrees, 4, &text)
        text.append(",\(position == nil ? "" : point.isDeadReckoned ? "1" : "0")\n".utf8)
    }

    mutating func end(into text: inout TextBuffer) {}

    private static func append(_ value: Double?, _ decimals: Int, _ text: inout TextBuffer) {
        text.append(UInt8(ascii: ","))
        if let value { text.append(value, decimals: decimals) }
    }
}
