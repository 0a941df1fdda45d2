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
        let (position, deviation, velocity) = (point.position, point.standardDeviation, point.velocityENU)
        let rotation = point.rotationENUFromBody
        text.write("\(seconds: point.time.nanoseconds),\(utc: point.utc),\(seconds: point.utc)")
        text.write(",\(position?.latitudeDegrees, 9),\(position?.longitudeDegrees, 9)")
        text.write(",\(position?.ellipsoidalHeight, 4),\(position?.seaLevelHeight, 4)")
        text.write(",\(deviation.horizontalAccuracy, 4),\(deviation.up, 4)")
        text.write(",\(deviation.east, 4),\(deviation.north, 4),\(deviation.up, 4)")
        text.write(",\(velocity.east, 6),\(velocity.north, 6),\(velocity.up, 6)")
        text.write(",\(rotation?.w, 9),\(rotation?.x, 9),\(rotation?.y, 9),\(rotation?.z, 9)")
        text.write(",\(point.yawAccuracyDegrees, 4),\(position == nil ? "" : point.isDeadReckoned ? "1" : "0")\n")
    }
}
