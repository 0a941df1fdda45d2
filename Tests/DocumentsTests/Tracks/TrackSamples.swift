import Geometry
import Model
import Documents

/// A point at a boot time in seconds, with UTC unless nil.
func sample(
    _ seconds: Double, utc: Int64? = 0, latitude: Double = 47.5, longitude: Double = 8.25,
    ellipsoidal: Double? = 450.25, seaLevel: Double? = nil, separation: Double? = 47.5
) -> TrackSample {
    let time = BootTime(seconds: seconds)!
    var point = TrackSample(time: time, utc: utc.map { $0 + time.nanoseconds })
    point.position = TrackPosition(
        latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: ellipsoidal,
        seaLevelHeight: seaLevel, geoidSeparation: separation)
    return point
}

/// 2026-06-21T00:00:00Z. Unit: nanoseconds.
let midsummer: Int64 = 1_782_000_000_000_000_000

/// The document of some points.
func document(
    _ format: TrackFormat, _ points: [TrackSample], rate: Double? = nil, hasUTC: Bool = true,
    origin: TrackDescription.Origin = .fusion, name: String = "a walk"
) -> String {
    var export = TrackExport(
        format, TrackDescription(name: name, creator: "waymark 1", origin: origin, hasUTC: hasUTC), rate: rate)
    for point in points { export.add(point) }
    export.finish()
    return String(decoding: export.text.bytes, as: UTF8.self)
}

extension String {
    /// Number of times that a text occurs.
    func count(of text: String) -> Int { split(separator: text, omittingEmptySubsequences: false).count - 1 }
}
