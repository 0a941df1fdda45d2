/// Room for the text of a hint: an upright rectangle on the display, in the units of the hint's `u` and `v`.
public struct HintBox: Hashable, Sendable {
    /// Horizontal position of the middle, from −1 at the left border of the display to 1 at the right one.
    public var u: Double
    /// Vertical position of the middle, from −1 at the upper border of the display to 1 at the lower one.
    public var v: Double
    /// Width; the width of the display is 2.
    public var width: Double
    /// Height; the height of the display is 2.
    public var height: Double

    package init(u: Double, v: Double, width: Double, height: Double) {
        self.u = u
        self.v = v
        self.width = width
        self.height = height
    }
}

/// Size of the texts of hints on a display.
public struct HintTextSize: Hashable, Sendable {
    /// Width, as a fraction of the display's height.
    public let width: Double
    /// Height, as a fraction of the display's height.
    public let height: Double

    package init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// Size for a display that does not specify its own. It is 216 by 36 pixels on a display 720 pixels high, enough
    /// for two words and an angle.
    public static let usual = HintTextSize(width: 0.3, height: 0.05)
}

/// Upright rectangle on a display, with x to the right and y down from the middle. Unit: half the display's height.
struct DisplayArea: Hashable, Sendable {
    var left: Double
    var right: Double
    var top: Double
    var bottom: Double
}

extension DisplayArea {
    init(x: Double, y: Double, width: Double, height: Double) {
        self.init(left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2)
    }

    /// Whether another rectangle overlaps this one, or is closer to it than `margin`.
    func meets(_ other: DisplayArea, margin: Double = 0) -> Bool {
        left - other.right < margin && other.left - right < margin && top - other.bottom < margin
            && other.top - bottom < margin
    }

    func union(_ other: DisplayArea) -> DisplayArea {
        DisplayArea(
            left: min(left, other.left), right: max(right, other.right), top: min(top, other.top),
            bottom: max(bottom, other.bottom))
    }
}
