import Documents
import Geometry
import JSON
import Configuration
import WaymarkClient
import WaymarkInterface

/// `waymark share`: the wearer's position, as a text that maps and phones open.
enum ShareCommand: Command {
    static let word = "share"

    private static let format = Option.choice(
        "format", of: ["geo", "json"], help: "Print a geo: URI (default), or a JSON object that contains it")
    private static let flat = Flag("flat", help: "Omit the height, so that u is the horizontal accuracy")

    static let syntax: Syntax = syntax("Print the wearer's position as a geo: URI.", options: [format, flat])

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let position = try SharedPosition(Waymark.Client().pose(), isFlat: options[flat])
        try Terminal.print(options[format] == "json" ? JSONText.line(position) : position.uri + "\n")
        return .done
    }
}

/// The wearer's position: degrees and metres, 68 % accuracies.
private struct SharedPosition: JSONWritable {
    let uri: String
    let latitude: Double
    let longitude: Double
    /// Height above the WGS84 ellipsoid.
    let height: Double?
    let horizontalAccuracy: Double?
    let verticalAccuracy: Double?
    let utc: UTCTime?

    /// - Throws: `CommandError` while there is no position.
    init(_ pose: Waymark.Pose, isFlat: Bool) throws {
        let (geo, position) = try WearerPosition.of(pose)
        let vertical = isFlat ? nil : pose.accuracy.verticalAccuracy
        guard
            let uri = GeoURI(
                position, horizontalAccuracy: pose.accuracy.horizontalAccuracy, verticalAccuracy: vertical)
        else { throw WearerPosition.unknown(pose) }
        self.uri = uri.text
        latitude = geo.latitude
        longitude = geo.longitude
        height = vertical == nil ? nil : geo.height
        horizontalAccuracy = pose.accuracy.horizontalAccuracy
        verticalAccuracy = vertical
        utc = pose.utc
    }

    func write(into json: inout JSONWriter) {
        json.beginObject()
        json.member("uri", uri)
        json.member("latitude", latitude, .exact)
        json.member("longitude", longitude, .exact)
        json.member("height", height, .exact)
        json.member("horizontalAccuracy", horizontalAccuracy, .exact)
        json.member("verticalAccuracy", verticalAccuracy, .exact)
        json.member("utc", utc)
        json.endObject()
    }
}

/// The wearer's position on the earth, for commands that require it.
enum WearerPosition {
    /// - Throws: `CommandError` while the position is unknown.
    static func of(_ pose: Waymark.Pose) throws(CommandError) -> (geo: Waymark.Geo, position: GeodeticPosition) {
        guard let geo = pose.geo, pose.tracking.position != .invalid,
            let position = GeodeticPosition(
                latitudeDegrees: geo.latitude, longitudeDegrees: geo.longitude, ellipsoidalHeight: geo.height)
        else { throw unknown(pose) }
        return (geo, position)
    }

    static func unknown(_ pose: Waymark.Pose) -> CommandError {
        let reasons = Words.explanations(of: pose.reasons)
        let message = ["the position is not known yet"] + reasons + ["'waymark wait' waits until it is"]
        return .failed(message.joined(separator: "; "))
    }
}
