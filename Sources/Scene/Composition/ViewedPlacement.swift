import Geometry

/// A placement as one display shows it.
public struct ViewedPlacement: Hashable, Sendable {
    /// On a radar of radius 1: right, and ahead.
    public struct RadarPoint: Hashable, Sendable {
        public var x: Double
        public var y: Double
    }

    public var placement: Placement
    /// Of the view: that in which it last changed.
    public var revision: UInt64
    /// Whether its point lies on the display.
    public var isVisible: Bool
    /// Where on the border of the display to point to it; nil for what is visible, and for what others are more important than.
    public var hint: OffscreenHint?
    /// Nil without a heading, and for displays without a radar.
    public var radar: RadarPoint?
}
