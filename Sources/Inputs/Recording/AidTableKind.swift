import Model

/// Kind of aid measurement, each in its own table.
package enum AidTableKind: CaseIterable, Sendable {
    case odometry, position, sighting, range, heading, height

    /// Names of the time columns.
    static let times = ["t_s", "arrival_s"]

    /// Name of the table without ".csv".
    var table: String { form.table }

    /// Number columns that each row has.
    package var needed: [String] { form.needed }

    /// Name of the table, number columns that each row has, and number columns that a row may have.
    private var form: (table: String, needed: [String], optional: [String]) {
        switch self {
        case .odometry: ("odometry", ["x_m", "y_m", "z_m", "qw", "qx", "qy", "qz"], ["reset", "tracking"])
        case .position: ("positions", ["lat_deg", "lon_deg", "hacc_m"], ["alt_m", "vacc_m"])
        case .sighting: ("sightings", ["dx", "dy", "dz", "sd_deg"], ["lat_deg", "lon_deg", "alt_m", "utc_s"])
        case .range: ("ranges", ["lat_deg", "lon_deg", "alt_m", "range_m", "sd_m"], [])
        case .heading: ("headings", ["heading_deg", "sd_deg"], [])
        case .height: ("heights", ["alt_m", "sd_m"], [])
        }
    }

    var texts: [String] { self == .sighting ? ["source", "target"] : ["source"] }

    var numbers: [String] { form.needed + form.optional }

    /// Columns that are read.
    var columns: [String] { Self.times + numbers + texts }

    /// Source assumed for rows that name no source.
    package var usualSource: SourceName {
        switch self {
        case .odometry: .camera
        case .sighting: .wearer
        default: .aid
        }
    }
}
