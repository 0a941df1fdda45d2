import Model

/// Kind of aid measurement, each in its own table.
package enum AidTableKind: CaseIterable, Sendable {
    case odometry, position, sighting, range, heading, height

    /// Columns of times.
    static let times = ["t_s", "arrival_s"]

    /// Name of the table without ".csv".
    var table: String {
        switch self {
        case .odometry: "odometry"
        case .position: "positions"
        case .sighting: "sightings"
        case .range: "ranges"
        case .heading: "headings"
        case .height: "heights"
        }
    }

    /// Number columns that each row has.
    package var needed: [String] {
        switch self {
        case .odometry: ["x_m", "y_m", "z_m", "qw", "qx", "qy", "qz"]
        case .position: ["lat_deg", "lon_deg", "hacc_m"]
        case .sighting: ["dx", "dy", "dz", "sd_deg"]
        case .range: ["lat_deg", "lon_deg", "alt_m", "range_m", "sd_m"]
        case .heading: ["heading_deg", "sd_deg"]
        case .height: ["alt_m", "sd_m"]
        }
    }

    /// Number columns that a row may have.
    private var optional: [String] {
        switch self {
        case .odometry: ["reset", "tracking"]
        case .position: ["alt_m", "vacc_m"]
        case .sighting: ["lat_deg", "lon_deg", "alt_m", "utc_s"]
        case .range, .heading, .height: []
        }
    }

    var texts: [String] { self == .sighting ? ["source", "target"] : ["source"] }

    var numbers: [String] { needed + optional }

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
