import Geodesy
import JSON

#if canImport(Glibc)
    import Glibc
#endif

/// A place as a `geo:` URI, such as `geo:48.208170,16.373810,183.2;u=4.3`, which maps and phones open.
///
/// Source: RFC 5870, on WGS84, whose height there is the ellipsoidal one. The standard leaves open how sure `u` is, and lets it
/// hold for all coordinates: here it is the radius in metres that holds the place with 68 %, and the half-width of the height
/// if that is larger. It is rounded up, so that the text never claims more than is known.
public struct GeoURI: Hashable, Sendable {
    /// In [−90, 90].
    public let latitudeDegrees: Double
    /// In [−180, 180], and 0 at the poles.
    public let longitudeDegrees: Double
    /// Above the WGS84 ellipsoid; nil is not told. Unit: metres.
    public let ellipsoidalHeight: Double?
    /// Nil is not told. Unit: metres.
    public let uncertaintyMetres: Double?

    /// A height farther from the ellipsoid lies beyond the air. Unit: metres.
    public static let largestHeight = 100_000.0
    /// Nothing on earth is farther apart. Unit: metres.
    public static let largestUncertainty = 21_000_000.0

    /// Nil for coordinates that are no place on earth, and an accuracy that is none.
    public init?(
        latitudeDegrees: Double, longitudeDegrees: Double, ellipsoidalHeight: Double? = nil,
        uncertaintyMetres: Double? = nil
    ) {
        guard latitudeDegrees.magnitude <= 90, longitudeDegrees.magnitude <= 180,
            (ellipsoidalHeight ?? 0).magnitude <= Self.largestHeight,
            (0...Self.largestUncertainty).contains(uncertaintyMetres ?? 0)
        else { return nil }
        self.latitudeDegrees = latitudeDegrees
        self.longitudeDegrees = latitudeDegrees.magnitude == 90 ? 0 : longitudeDegrees
        self.ellipsoidalHeight = ellipsoidalHeight
        self.uncertaintyMetres = uncertaintyMetres
    }

    /// A position with its accuracies of 68 %; the height stands in it where its accuracy is known too.
    public init?(_ position: GeodeticPosition, horizontalAccuracy: Double?, verticalAccuracy: Double?) {
        let radius = horizontalAccuracy.map { max($0, verticalAccuracy ?? 0) }
        self.init(
            latitudeDegrees: position.latitudeDegrees, longitudeDegrees: remainder(position.longitudeDegrees, 360),
            ellipsoidalHeight: verticalAccuracy == nil ? nil : position.ellipsoidalHeight, uncertaintyMetres: radius)
    }

    /// Without a height it lies on the ellipsoid, and what takes it should give the height by other means.
    public var position: GeodeticPosition? {
        GeodeticPosition(
            latitudeDegrees: latitudeDegrees, longitudeDegrees: longitudeDegrees,
            ellipsoidalHeight: ellipsoidalHeight ?? 0)
    }

    public var text: String {
        var text = TextBuffer(capacity: 64)
        text.append("geo:")
        append(latitudeDegrees, decimals, to: &text)
        text.append(UInt8(ascii: ","))
        append(longitudeDegrees, decimals, to: &text)
        if let height = ellipsoidalHeight {
            text.append(UInt8(ascii: ","))
            // A metre is a hundred-thousandth of a degree.
            append(height, max(0, decimals - 5), to: &text)
        }
        if let radius = roundedRadius {
            text.append(";u=")
            append(radius, radius < 10 ? 1 : 0, to: &text)
        }
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// As it is written: up to the next decimetre, and from 10 m on to the next metre.
    private var roundedRadius: Double? {
        guard let radius = uncertaintyMetres else { return nil }
        // What stands on a decimetre stays there: 1.1 · 10 is a little more than 11.
        let tenths = max(1, (radius * 10 - 1e-6).rounded(.up))
        return tenths < 100 ? tenths / 10 : (tenths / 10).rounded(.up)
    }

    /// Of the degrees: rounding is at most a twentieth of the radius, and where that is not known a decimetre.
    private var decimals: Int {
        guard let radius = roundedRadius else { return 6 }
        // Half of the last digit, of 111 320 m, twenty times.
        return Int(min(max(log10(0.5 * 20 * 111_320 / radius).rounded(.up), 2), 8))
    }

    /// Without a sign where nothing but zeros is left.
    private func append(_ value: Double, _ decimals: Int, to text: inout TextBuffer) {
        let unit = pow(10, Double(decimals))
        let isZero = (value * unit).magnitude < 0.5
        text.append(isZero ? 0 : value, decimals: decimals)
    }
}
