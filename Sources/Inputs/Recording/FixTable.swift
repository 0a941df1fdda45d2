import Geometry
import Glibc
import Model

/// `gnss.csv`: the fixes, sorted by arrival.
///
/// `hacc_m` is the 68 % radius, as phones report it: 1.51 standard deviations of a Gaussian with equal axes. `vacc_m`
/// and `sacc_mps` hold 68 % along one axis: one standard deviation. `sdn_m`, `sde_m`, `sdu_m` are standard deviations
/// and take precedence. Accuracies of zero or less are unknown.
final class FixTable: FolderTable {
    /// Maximum number of fixes: a day at 10 Hz. Sorting requires holding all of them at once.
    private static let maximumRowCount = 1_000_000

    private enum Column: Int, CaseIterable {
        case lat_deg, lon_deg, alt_m, alt_msl_m, utc_s, ve_mps, vn_mps, vu_mps, speed_mps, course_deg
        case hacc_m, vacc_m, sacc_mps, sdn_m, sde_m, sdu_m
    }

    private static let times = ["t_s", "arrival_s"]
    static let columns = times + Column.allCases.map { String(describing: $0) }

    private let reader: CSVReader
    private var leftOut = LeftOutRows()
    private var geoid = ReceiverGeoid()
    private var fixes: [GNSSFix] = []
    private var present = -1

    init(path: String) throws(RecordingError) {
        reader = try CSVReader(
            path: path, times: Self.times, numbers: Column.allCases.map { String(describing: $0) })
        try reader.require(["t_s", "lat_deg", "lon_deg"])
        while try reader.next() {
            guard let fix = fix() else {
                leftOut.note(reader.line)
                continue
            }
            guard leftOut.allows([.fix(fix)], reader.line) else { continue }
            guard fixes.count < FixTable.maximumRowCount else {
                throw .malformed(path: path, line: reader.line, problem: "more than \(FixTable.maximumRowCount) fixes")
            }
            fixes.append(fix)
        }
        // The sort is stable: fixes that arrive together keep the order of their rows.
        let order = fixes.indices.sorted { (fixes[$0].arrival, $0) < (fixes[$1].arrival, $1) }
        fixes = order.map { fixes[$0] }
    }

    func next() throws(RecordingError) -> BootTime? {
        present += 1
        return present < fixes.count ? fixes[present].arrival : nil
    }

    var measurements: [Measurement] { [.fix(fixes[present])] }

    var warnings: [String] { leftOut.warnings(reader, needed: "t_s and a position on the earth are needed") }

    private func fix() -> GNSSFix? {
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
