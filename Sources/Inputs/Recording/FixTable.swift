import Geometry
import Glibc
import Model

extension SortedTable {
    private static let fixTimes = ["t_s", "arrival_s"]
    static let fixColumns = fixTimes + FixRow.columns

    /// Table `gnss.csv` with the fixes.
    static func fixes(path: String) throws(RecordingError) -> SortedTable {
        let reader = try CSVReader(path: path, times: fixTimes, numbers: FixRow.columns)
        try reader.require(["t_s", "lat_deg", "lon_deg"])
        var geoid = ReceiverGeoid()
        let table = RowTable(reader, needed: "t_s and a position on the earth") { reader, row in
            if let fix = FixRow(reader: reader).fix(&geoid) { row.append(.fix(fix)) }
        }
        return try SortedTable(table, "fixes")
    }
}

/// Current row of a table of fixes.
///
/// `hacc_m` is the 68 % radius, as phones report it: 1.51 standard deviations of a Gaussian with equal axes. `vacc_m`
/// and `sacc_mps` are 68 % values along one axis, which equal one standard deviation. `sdn_m`, `sde_m` and `sdu_m` are
/// standard deviations and take precedence. An accuracy of zero or less counts as unknown.
private struct FixRow {
    enum Column: Int, CaseIterable {
        case lat_deg, lon_deg, alt_m, alt_msl_m, utc_s, ve_mps, vn_mps, vu_mps, speed_mps, course_deg
        case hacc_m, vacc_m, sacc_mps, sdn_m, sde_m, sdu_m
    }

    static let columns = Column.allCases.map { String(describing: $0) }

    let reader: CSVReader

    /// - Parameter geoid: geoid that earlier rows reported.
    func fix(_ geoid: inout ReceiverGeoid) -> GNSSFix? {
        guard let epoch = reader.time(0), let latitude = value(.lat_deg), let longitude = value(.lon_deg) else {
            return nil
        }
        let height = value(.alt_m) ?? value(.alt_msl_m)
        guard
            var position = GeodeticPosition(
                latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: height ?? 0)
        else { return nil }
        geoid.learn(separation())
        if value(.alt_m) == nil, height != nil { position.ellipsoidalHeight += geoid.separation(at: position) }
        return GNSSFix(
            epoch: epoch, arrival: reader.time(1) ?? epoch, utcSeconds: value(.utc_s), position: position,
            hasHeight: height != nil, velocityENU: velocity(), positionSigma: sigma(),
            velocitySigma: positive(.sacc_mps), geoidSeparation: separation())
    }

    /// Height of mean sea level above the ellipsoid, if both heights are given. Unit: metres.
    private func separation() -> Double? {
        guard let ellipsoidal = value(.alt_m), let seaLevel = value(.alt_msl_m) else { return nil }
        return ellipsoidal - seaLevel
    }

    private func velocity() -> GNSSFix.VelocityENU {
        var velocity = GNSSFix.VelocityENU(east: value(.ve_mps), north: value(.vn_mps), up: value(.vu_mps))
        if velocity.east == nil, velocity.north == nil, let speed = value(.speed_mps), let course = value(.course_deg) {
            velocity.east = speed * sin(course * .pi / 180)
            velocity.north = speed * cos(course * .pi / 180)
        }
        return velocity
    }

    private func sigma() -> GNSSFix.PositionSigma {
        let horizontal = positive(.hacc_m).map { $0 / PoseAccuracy.radius68 }
        return GNSSFix.PositionSigma(
            east: positive(.sde_m) ?? horizontal, north: positive(.sdn_m) ?? horizontal,
            up: positive(.sdu_m) ?? positive(.vacc_m))
    }

    private func value(_ column: Column) -> Double? { reader.number(column.rawValue) }

    private func positive(_ column: Column) -> Double? { value(column).flatMap { $0 > 0 ? $0 : nil } }
}
