import Geometry
import Model

extension SortedTable {
    /// Table of aid measurements by other programs, such as `odometry.csv`.
    static func aids(_ kind: AidTableKind, path: String) throws(RecordingError) -> SortedTable {
        let numbers = kind.numbers
        let reader = try CSVReader(path: path, times: AidTableKind.times, numbers: numbers, texts: kind.texts)
        let needed = ["t_s"] + kind.needed
        try reader.require(needed)
        let table = RowTable(reader, needed: needed.joined(separator: ", ")) { reader, row in
            if let aid = AidRow(reader: reader, kind: kind, numbers: numbers).aid() { row.append(.aid(aid)) }
        }
        return try SortedTable(table, "rows")
    }
}

/// Current row of a table of aid measurements.
///
/// Each row has `t_s` and, if known, `arrival_s` and `source`. Accuracies are as in `gnss.csv`: `hacc_m` is the 68 %
/// radius, all others are standard deviations along one axis.
private struct AidRow {
    let reader: CSVReader
    let kind: AidTableKind
    /// Names of the number columns, in the order of the reader.
    let numbers: [String]

    func aid() -> AidMeasurement? {
        guard let time = reader.time(0), let content = content() else { return nil }
        var source = kind.usualSource
        if let text = reader.text(0) {
            guard let name = SourceName(text) else { return nil }
            source = name
        }
        return AidMeasurement(source: source, time: time, arrival: reader.time(1) ?? time, content: content)
    }

    private func content() -> AidMeasurement.Content? {
        switch kind {
        case .odometry: odometry()
        case .position: position()
        case .sighting: sighting()
        case .range: range()
        case .heading: heading()
        case .height: height()
        }
    }

    private func odometry() -> AidMeasurement.Content? {
        guard let position = vector("x_m", "y_m", "z_m"), let w = value("qw"), let axis = vector("qx", "qy", "qz"),
            let rotation = Rotation3(w: w, x: axis.x, y: axis.y, z: axis.z),
            let reset = UInt32(exactly: value("reset") ?? 0)
        else { return nil }
        return .odometry(
            OdometryPose(
                position: position, rotationOwnFromBody: rotation, reset: reset, tracking: value("tracking") ?? 1))
    }

    private func position() -> AidMeasurement.Content? {
        guard let place = place(), let horizontal = value("hacc_m") else { return nil }
        return .position(
            OfferedPosition(
                position: place.position, hasHeight: place.hasHeight, horizontalAccuracy: horizontal,
                verticalAccuracy: value("vacc_m") ?? 2 * horizontal))
    }

    private func sighting() -> AidMeasurement.Content? {
        guard let direction = vector("dx", "dy", "dz"), let degrees = value("sd_deg"), let target = target() else {
            return nil
        }
        return .sighting(
            Sighting(target: target, directionInBody: direction, standardDeviation: degrees * .pi / 180))
    }

    private func target() -> Sighting.Target? {
        switch reader.text(1) {
        case "sun": .sun(utcSeconds: value("utc_s"))
        case nil, "landmark": place().map { .point($0.position, hasHeight: $0.hasHeight) }
        default: nil
        }
    }

    private func range() -> AidMeasurement.Content? {
        guard let beacon = place(), let range = value("range_m"), let deviation = value("sd_m") else { return nil }
        return .range(BeaconRange(beacon: beacon.position, range: range, standardDeviation: deviation))
    }

    private func heading() -> AidMeasurement.Content? {
        guard let degrees = value("heading_deg"), let deviation = value("sd_deg") else { return nil }
        return .heading(
            OfferedHeading(azimuth: degrees * .pi / 180, standardDeviation: deviation * .pi / 180))
    }

    private func height() -> AidMeasurement.Content? {
        guard let height = value("alt_m"), let deviation = value("sd_m") else { return nil }
        return .height(OfferedHeight(height: height, standardDeviation: deviation))
    }

    private func place() -> (position: GeodeticPosition, hasHeight: Bool)? {
        guard let latitude = value("lat_deg"), let longitude = value("lon_deg"),
            let position = GeodeticPosition(
                latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: value("alt_m") ?? 0)
        else { return nil }
        return (position, value("alt_m") != nil)
    }

    private func vector(_ x: String, _ y: String, _ z: String) -> Vector3? {
        guard let x = value(x), let y = value(y), let z = value(z) else { return nil }
        return Vector3(x, y, z)
    }

    private func value(_ column: String) -> Double? {
        numbers.firstIndex(of: column).flatMap { reader.number($0) }
    }
}
