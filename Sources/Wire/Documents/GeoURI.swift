import Geometry
import Glibc
import JSON

/// A place as a `geo:` URI, such as `geo:48.208170,16.373810,183.2;u=4.3`, which maps and phones open.
///
/// Source: RFC 5870, on WGS84, where the height is above the ellipsoid. The standard does not define the confidence of
/// `u`, and applies it to all coordinates: here `u` is the radius in metres that contains the place with a probability
/// of 68 %, or the half-width of the height if that is larger. It is rounded up, so that the text never overstates the
/// accuracy.
public struct GeoURI: Hashable, Sendable {
    /// Latitude in [−90, 90]. Unit: degrees.
    public let latitudeDegrees: Double
    /// Longitude in [−180, 180], and 0 at the poles. Unit: degrees.
    public let longitudeDegrees: Double
    /// Height above the WGS84 ellipsoid; nil if none was given. Unit: metres.
    public let ellipsoidalHeight: Double?
    /// Uncertainty `u`; nil if none was given. Unit: metres.
    public let uncertaintyMetres: Double?

    /// Maximum magnitude of a height, at the edge of the atmosphere. Unit: metres.
    public static let maximumHeight = 100_000.0
    /// Largest uncertainty that is accepted, larger than any distance on earth. Unit: metres.
    public static let maximumUncertainty = 21_000_000.0

    /// Makes a URI; nil if the coordinates are not on the earth or the accuracy is invalid.
    public init?(
        latitudeDegrees: Double, longitudeDegrees: Double, ellipsoidalHeight: Double? = nil,
        uncertaintyMetres: Double? = nil
    ) {
        guard latitudeDegrees.magnitude <= 90, longitudeDegrees.magnitude <= 180,
            (ellipsoidalHeight ?? 0).magnitude <= Self.maximumHeight,
            (0...Self.maximumUncertainty).contains(uncertaintyMetres ?? 0)
        else { return nil }
        self.latitudeDegrees = latitudeDegrees
        self.longitudeDegrees = latitudeDegrees.magnitude == 90 ? 0 : longitudeDegrees
        self.ellipsoidalHeight = ellipsoidalHeight
        self.uncertaintyMetres = uncertaintyMetres
    }

    /// Makes the URI of a position with its 68 % accuracies. It includes the height only if the vertical accuracy is
    /// known.
    public init?(_ position: GeodeticPosition, horizontalAccuracy: Double?, verticalAccuracy: Double?) {
        let radius = horizontalAccuracy.map { max($0, verticalAccuracy ?? 0) }
        self.init(
            latitudeDegrees: position.latitudeDegrees, longitudeDegrees: remainder(position.longitudeDegrees, 360),
            ellipsoidalHeight: verticalAccuracy == nil ? nil : position.ellipsoidalHeight, uncertaintyMetres: radius)
    }

    /// Position of the URI. Without a height it lies on the ellipsoid, and the caller should determine the height by
    /// other means.
    public var position: GeodeticPosition? {
        GeodeticPosition(
            latitudeDegrees: latitudeDegrees, longitudeDegrees: longitudeDegrees,
            ellipsoidalHeight: ellipsoidalHeight ?? 0)
    }

    /// URI as text, with as many decimals as the uncertainty justifies.
    public var text: String {
        var text = TextBuffer(capacity: 64)
        text.append("geo:")
        append(latitudeDegrees, decimals, to: &text)
        text.append(UInt8(ascii: ","))
        append(longitudeDegrees, decimals, to: &text)
        if let height = ellipsoidalHeight {
            text.append(UInt8(ascii: ","))
            // A metre is about 1e-5 degrees, so the height has five decimals fewer than the degrees.
            append(height, max(0, decimals - 5), to: &text)
        }
        if let radius = roundedRadius {
            text.append(";u=")
            append(radius, radius < 10 ? 1 : 0, to: &text)
        }
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// Radius as it is written: rounded up to a whole decimetre or, from 10 m upwards, to a whole metre.
    private var roundedRadius: Double? {
        guard let radius = uncertaintyMetres else { return nil }
        // The tolerance keeps whole numbers of decimetres: in floating point, 1.1 · 10 is slightly more than 11.
        let tenths = max(1, (radius * 10 - 1e-6).rounded(.up))
        return tenths < 100 ? tenths / 10 : (tenths / 10).rounded(.up)
    }

    /// Number of decimals of the degrees. It makes the rounding error at most a twentieth of the radius or, if the
    /// radius is unknown, at most a decimetre.
    private var decimals: Int {
        guard let radius = roundedRadius else { return 6 }
        // Half a unit of the last digit, at 111 320 m per degree, is at most a twentieth of the radius.
        return Int(min(max(log10(0.5 * 20 * 111_320 / radius).rounded(.up), 2), 8))
    }

    /// Appends a number, without a minus if the number is rounded to zero.
    private func append(_ value: Double, _ decimals: Int, to text: inout TextBuffer) {
        let unit = pow(10, Double(decimals))
        let isZero = (value * unit).magnitude < 0.5
        text.append(isZero ? 0 : value, decimals: decimals)
    }
}
