import Geodesy
import Geometry
import JSON
import Model

/// With how many digits messages are written.
public enum MessagePrecision: Sendable {
    /// Micrometres and nanodegrees: finer than any sensor, and quick to write.
    case rounded
    /// Every bit, for recordings.
    case exact

    func decimals(_ count: Int) -> NumberForm { self == .exact ? .exact : .fixed(count) }

    /// Metres, m/s, rad/s.
    var length: NumberForm { decimals(6) }
    /// Of a unit quaternion, and degrees of latitude and longitude: 0.1 mm.
    var fine: NumberForm { decimals(9) }
    /// Degrees of a direction.
    var angle: NumberForm { decimals(6) }
    /// Metres and degrees of an accuracy.
    var accuracy: NumberForm { decimals(4) }
}

/// The types that the messages share, named as in the Varlink interface.
extension JSONWriter {
    /// `Time`: nanoseconds are counted forward from the second also before boot.
    public mutating func member(_ name: StaticString, _ time: BootTime?) {
        guard let time else { return }
        let (seconds, nanoseconds) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        key(name)
        beginObject()
        member("sec", nanoseconds < 0 ? seconds - 1 : seconds)
        member("nsec", nanoseconds < 0 ? nanoseconds + 1_000_000_000 : nanoseconds)
        endObject()
    }

    /// `Vector`
    /// An instant in UTC as RFC 3339; nothing while it is not known.
    ///
    /// - Parameter utcOffset: nanoseconds to add to boot time to get UTC since 1970.
    mutating func member(_ name: StaticString, _ time: BootTime, utcOffset: Int64?) {
        guard let utcOffset else { return }
        let (utc, overflow) = time.nanoseconds.addingReportingOverflow(utcOffset)
        guard !overflow else { return }
        key(name)
        text.append(UInt8(ascii: "\""))
        text.append(rfc3339: utc)
        text.append(UInt8(ascii: "\""))
    }

    mutating func member(_ name: StaticString, _ vector: Vector3, _ precision: MessagePrecision) {
        key(name)
        beginObject()
        member("x", vector.x, precision.length)
        member("y", vector.y, precision.length)
        member("z", vector.z, precision.length)
        endObject()
    }

    /// `Quaternion`
    mutating func member(_ name: StaticString, _ rotation: Rotation3, _ precision: MessagePrecision) {
        key(name)
        beginObject()
        member("x", rotation.x, precision.fine)
        member("y", rotation.y, precision.fine)
        member("z", rotation.z, precision.fine)
        member("w", rotation.w, precision.fine)
        endObject()
    }

    /// `Geo`
    mutating func member(_ name: StaticString, _ position: GeodeticPosition?, _ precision: MessagePrecision) {
        guard let position else { return }
        key(name)
        beginObject()
        member("latitude", position.latitudeDegrees, precision.fine)
        member("longitude", position.longitudeDegrees, precision.fine)
        member("height", position.ellipsoidalHeight, precision.length)
        endObject()
    }

    /// A direction in [0, 360) degrees from radians; what would round up to 360 becomes 0.
    mutating func member(_ name: StaticString, direction radians: Double?, _ precision: MessagePrecision) {
        guard let radians, radians.isFinite else { return }
        var degrees = (radians * 180 / .pi).truncatingRemainder(dividingBy: 360)
        if degrees < 0 { degrees += 360 }
        if degrees >= 360 - 0.5e-6 { degrees = 0 }
        member(name, degrees, precision.angle)
    }
}
