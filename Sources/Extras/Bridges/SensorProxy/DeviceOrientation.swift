import Geometry
import Glibc

/// Orientation and tilt of the display relative to gravity, with hysteresis.
///
/// Both follow from the elevation of the body's axes above the horizon. The thresholds are those of iio-sensor-proxy
/// 3.7, so that a display rotates its content at the same angles. The hysteresis is Waymark's own, because
/// iio-sensor-proxy may alternate between two values.
package struct DeviceOrientation: Equatable, Sendable {
    /// Edge that points upwards.
    package private(set) var orientation = ScreenOrientation.undefined
    /// Inclination of the face.
    package private(set) var tilt = ScreenTilt.undefined

    /// Elevation from which an edge counts as the upper one. While two adjacent edges or no edge exceed it, the last
    /// orientation is kept. Unit: degrees.
    static let edgeThreshold = 35.0
    /// Elevation up to which the face is vertical. Unit: degrees.
    static let verticalThreshold = 20.0
    /// Elevation from which the display lies on its back or its face. Unit: degrees.
    static let faceThreshold = 70.0
    /// Hysteresis beyond a threshold before a value changes. It exceeds the noise of a pose and the tremor of a hand.
    /// Unit: degrees.
    static let margin = 2.0

    package init() {}

    /// Updates the values.
    ///
    /// - Parameter upInBody: unit vector against gravity. Frame: body (x right, y up, z towards the wearer).
    package mutating func update(upInBody: Vector3) {
        let right = Self.elevation(upInBody.x)
        let top = Self.elevation(upInBody.y)
        orientation = Self.orientation(after: orientation, right: right, top: top)
        tilt = Self.tilt(after: tilt, face: Self.elevation(upInBody.z))
    }

    /// - Parameters:
    ///   - right: elevation of the right edge, degrees.
    ///   - top: elevation of the top edge, degrees.
    private static func orientation(
        after last: ScreenOrientation, right: Double, top: Double
    ) -> ScreenOrientation {
        func isHigh(_ elevation: Double, lastOf words: ScreenOrientation...) -> Bool {
            elevation.magnitude > edgeThreshold - (words.contains(last) ? margin : 0)
        }
        switch (isHigh(right, lastOf: .rightUp, .leftUp), isHigh(top, lastOf: .normal, .bottomUp)) {
        case (true, false): return right > 0 ? .rightUp : .leftUp
        case (false, true): return top > 0 ? .normal : .bottomUp
        default: return last
        }
    }

    /// - Parameter face: elevation of the face, degrees.
    private static func tilt(after last: ScreenTilt, face: Double) -> ScreenTilt {
        let isNearLast = last == band(face - margin) || last == band(face + margin)
        return isNearLast ? last : band(face)
    }

    private static func band(_ face: Double) -> ScreenTilt {
        switch face.magnitude {
        case ...verticalThreshold: .vertical
        case ..<faceThreshold: face > 0 ? .tiltedUp : .tiltedDown
        default: face > 0 ? .faceUp : .faceDown
        }
    }

    /// - Parameter component: component of a unit vector along up.
    private static func elevation(_ component: Double) -> Double {
        Angle.degrees(radians: asin(min(max(component, -1), 1)))
    }
}
