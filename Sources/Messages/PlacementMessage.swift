import Geometry
import JSON
import Model
import Scene

/// A placement as the type `Placement` of the Varlink interface `org.waymark.Scene`.
///
/// Millimetres and hundredths of a degree: finer than what is sent anew for.
public enum PlacementMessage {
    private static let length = NumberForm.fixed(3)
    private static let angle = NumberForm.fixed(2)
    /// Of shares, and of points on the display.
    private static let share = NumberForm.fixed(4)

    /// Appends the placement as one JSON object, and returns where its revision stands.
    @discardableResult
    public static func write(_ viewed: ViewedPlacement, into json: inout JSONWriter) -> Int {
        let placement = viewed.placement
        json.beginObject()
        json.member("id", placement.id)
        let place = json.revision(viewed.revision)
        json.member("kind", word: placement.kind.word)
        json.member(text: "name", placement.name)
        json.member(text: "category", placement.category)
        json.member("lock", word: placement.lock.word)
        write("position", placement.position, &json)
        writeOutlook(placement, &json)
        writeLook(placement, &json)
        json.member("visible", viewed.isVisible)
        if let hint = viewed.hint { write(hint, &json) }
        if let radar = viewed.radar { write(radar, &json) }
        writeRoute(placement, &json)
        if placement.isFavorite { json.member("favorite", true) }
        writeMembers(placement.members, &json)
        writeProperties(placement.properties, &json)
        if let details = placement.details { write(details, &json) }
        json.endObject()
        return place
    }

    private static func write(_ details: PlaceDetails, _ json: inout JSONWriter) {
        json.key("details")
        json.beginObject()
        for field in PlaceDetails.Field.allCases {
            guard let text = details.texts[field] else { continue }
            json.key(text: field.rawValue)
            json.value(text)
        }
        if !details.pictures.isEmpty {
            json.key("pictures")
            json.beginArray()
            for picture in details.pictures { json.value(picture) }
            json.endArray()
        }
        json.endObject()
    }

    private static func writeOutlook(_ placement: Placement, _ json: inout JSONWriter) {
        json.member("displayDistance", placement.displayDistance, length)
        json.member("yaw", Angle.degrees(radians: placement.billboardYaw), angle)
        json.member("bearing", circle: placement.bearing)
        json.member("distance", placement.distance, .fixed(2))
        json.member("distanceText", placement.distanceText)
        json.member("alongRoute", placement.alongRoute, .fixed(2))
        json.member("alongRouteText", placement.alongRouteText)
        json.member("sigma", placement.sigma.map { Angle.degrees(radians: $0) }, angle)
    }

    private static func writeRoute(_ placement: Placement, _ json: inout JSONWriter) {
        json.member("course", placement.course.map { Angle.degrees(radians: $0) }, angle)
        if !placement.path.isEmpty {
            json.key("path")
            json.beginArray()
            for point in placement.path { write(point, &json) }
            json.endArray()
        }
        if let side = placement.side { json.member("side", word: side.word) }
        if let maneuver = placement.maneuver { json.member("maneuver", word: maneuver.word) }
    }

    private static func write(_ point: PathPoint, _ json: inout JSONWriter) {
        json.beginObject()
        json.member("share", point.share, share)
        write("position", point.position, &json)
        json.member("course", Angle.degrees(radians: point.course), angle)
        json.endObject()
    }

    private static func writeLook(_ placement: Placement, _ json: inout JSONWriter) {
        json.key("size")
        json.beginObject()
        json.member("policy", word: placement.sizePolicy.word)
        json.member("angle", Angle.degrees(radians: placement.size.angle), .fixed(3))
        json.member("scale", placement.size.scale, share)
        json.endObject()
        if let band = placement.band { json.member("band", word: band.word) }
        json.member("order", Int64(placement.order))
        if let slot = placement.slot {
            json.key("slot")
            json.beginObject()
            json.member("index", Int64(slot.index))
            json.member("elevation", Angle.degrees(radians: slot.elevation), angle)
            json.member("width", Angle.degrees(radians: slot.width), angle)
            json.member("height", Angle.degrees(radians: slot.height), angle)
            json.endObject()
        }
        if let pulse = placement.pulse { write(pulse, &json) }
    }

    private static func write(_ pulse: Pulse, _ json: inout JSONWriter) {
        json.key("pulse")
        json.beginObject()
        json.member("epoch", pulse.epoch)
        json.member("period", pulse.period, share)
        json.member("opacity", pulse.opacity, share)
        json.member("scale", pulse.scale, share)
        json.endObject()
    }

    private static func write(_ hint: OffscreenHint, _ json: inout JSONWriter) {
        json.key("hint")
        json.beginObject()
        json.member("u", hint.u, share)
        json.member("v", hint.v, share)
        json.member("turn", Angle.degrees(radians: hint.turn), angle)
        json.member("order", Int64(hint.order))
        json.member("count", Int64(hint.count))
        json.endObject()
    }

    private static func write(_ radar: ViewedPlacement.RadarPoint, _ json: inout JSONWriter) {
        json.key("radar")
        json.beginObject()
        json.member("x", radar.x, share)
        json.member("y", radar.y, share)
        json.endObject()
    }

    private static func write(_ name: StaticString, _ vector: Vector3, _ json: inout JSONWriter) {
        json.key(name)
        json.beginObject()
        json.member("x", vector.x, length)
        json.member("y", vector.y, length)
        json.member("z", vector.z, length)
        json.endObject()
    }

    private static func writeMembers(_ members: [String], _ json: inout JSONWriter) {
        guard !members.isEmpty else { return }
        json.key("members")
        json.beginArray()
        for member in members { json.value(member) }
        json.endArray()
    }

    private static func writeProperties(_ properties: [String: String], _ json: inout JSONWriter) {
        guard !properties.isEmpty else { return }
        json.key("properties")
        json.beginObject()
        for (name, value) in properties.sorted(by: { $0.key < $1.key }) {
            json.key(text: name)
            json.value(value)
        }
        json.endObject()
    }
}

extension JSONWriter {
    /// The member of that name; returns where its digits begin.
    mutating func revision(_ revision: UInt64) -> Int {
        key("revision")
        let place = bytes.count
        value(Int64(clamping: revision))
        return place
    }

    /// Text that is left out where it is empty.
    mutating func member(text name: StaticString, _ value: String) {
        if !value.isEmpty { member(name, value) }
    }

    /// A bearing in [0, 360) degrees from radians, with two decimals; what would round up to 360 becomes 0.
    mutating func member(_ name: StaticString, circle radians: Double?) {
        guard let radians, radians.isFinite else { return }
        let degrees = Angle.degrees(radians: Angle.positive(radians))
        member(name, degrees >= 359.995 ? 0 : degrees, .fixed(2))
    }
}
