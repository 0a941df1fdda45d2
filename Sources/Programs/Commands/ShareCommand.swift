import Documents
import Geometry
import Configuration
import WaymarkClient

extension Command {
    private static let format = Option.choice(
        "format", of: ["geo", "json"], help: "Print a geo: URI (default), or a JSON object that contains it")
    private static let flat = Flag("flat", help: "Omit the height, so that u is the horizontal accuracy")

    static let share = Command(
        "share", "Print the wearer's position as a geo: URI.", options: [format, flat]
    ) { options in
        let pose = try Waymark.Client().pose()
        let (geo, position) = try WearerPosition.of(pose)
        let horizontal = pose.accuracy.horizontalAccuracy
        let vertical = options[flat] ? nil : pose.accuracy.verticalAccuracy
        guard let uri = GeoURI(position, horizontalAccuracy: horizontal, verticalAccuracy: vertical) else {
            throw WearerPosition.unknown(pose)
        }
        guard options[format] == "json" else {
            try Terminal.print([uri.text])
            return .done
        }
        try Terminal.print(
            JSONText.line(
                JSONMembers(
                    members: ["uri": uri.text, "utc": pose.utc],
                    numbers: [
                        "latitude": geo.latitude, "longitude": geo.longitude,
                        "height": vertical == nil ? nil : geo.height, "horizontalAccuracy": horizontal,
                        "verticalAccuracy": vertical,
                    ])))
        return .done
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
