/// Edge of the display that points upwards, with the values of `net.hadess.SensorProxy`.
package enum ScreenOrientation: String, CaseIterable, Sendable {
    /// Unknown: the display has been flat, or on a corner, since the sensor was claimed.
    case undefined
    /// The top edge points upwards.
    case normal
    /// The bottom edge points upwards.
    case bottomUp = "bottom-up"
    /// The left edge points upwards.
    case leftUp = "left-up"
    /// The right edge points upwards.
    case rightUp = "right-up"
}

/// Inclination of the display's face, with the values of `net.hadess.SensorProxy` since version 3.6.
package enum ScreenTilt: String, CaseIterable, Sendable {
    /// Unknown.
    case undefined
    /// Upright.
    case vertical
    /// The face is inclined upwards.
    case tiltedUp = "tilted-up"
    /// The face is inclined downwards.
    case tiltedDown = "tilted-down"
    /// The face points upwards, as on a table.
    case faceUp = "face-up"
    /// The face points downwards.
    case faceDown = "face-down"
}
