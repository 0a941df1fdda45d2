/// Format of a track for other programs.
public enum TrackFormat: String, CaseIterable, Sendable {
    /// GPS Exchange Format 1.1.
    case gpx
    /// GeoJSON, RFC 7946.
    case geojson
    /// OGC Moving Features JSON 1.0.
    case mfJSON = "mf-json"
    /// Keyhole Markup Language 2.2, with Google's `gx:Track`.
    case kml
    /// Table of all known values.
    case csv
    /// Trajectory of the TUM RGB-D benchmark, as evo reads it.
    case tum
    /// Sentences of NMEA 0183.
    case nmea

    /// Default rate; nil for all points. Unit: points per second.
    ///
    /// Maps and GPS programs are slow with more than one point per second, while programs that analyse a track need
    /// every point.
    public var defaultRate: Double? {
        switch self {
        case .gpx, .geojson, .mfJSON, .kml, .nmea: 1
        case .csv, .tum: nil
        }
    }

    /// File name extension, without the dot.
    public var ending: String { self == .mfJSON ? "mfjson" : rawValue }

    /// Whether a document needs UTC.
    public var needsUTC: Bool { self == .mfJSON || self == .nmea }

    func writer(_ description: TrackDescription) -> any TrackWriter {
        switch self {
        case .gpx: GPXTrackWriter(description)
        case .geojson: GeoJSONTrackWriter(description)
        case .mfJSON: MFJSONTrackWriter(description)
        case .kml: KMLTrackWriter(description)
        case .csv: CSVTrackWriter()
        case .tum where description.isInScene: SceneTUMWriter(description)
        case .tum: TUMTrackWriter(description)
        case .nmea: NMEATrackWriter(description)
        }
    }
}

/// Description of a track as a whole.
public struct TrackDescription: Hashable, Sendable {
    /// Source of the positions of a track.
    public enum Origin: Hashable, Sendable {
        /// Estimates from several kinds of sensors.
        case fusion
        /// Fixes of a GNSS receiver.
        case receiver
    }

    package var name: String
    /// Name and version of the writing program.
    public var creator: String
    package var origin: Origin
    /// Whether UTC is known for all points of the document.
    public var hasUTC: Bool
    /// Whether positions are in the scene frame, if the format permits either frame.
    public var isInScene: Bool

    package init(name: String, creator: String, origin: Origin, hasUTC: Bool, isInScene: Bool = false) {
        self.name = name
        self.creator = creator
        self.origin = origin
        self.hasUTC = hasUTC
        self.isInScene = isInScene
    }
}
