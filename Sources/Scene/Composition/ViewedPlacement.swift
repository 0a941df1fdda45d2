import Geometry

/// Placement as one display shows it.
public struct ViewedPlacement: Hashable, Sendable {
    /// Point on a radar of radius 1, with the wearer at the origin.
    public struct RadarPoint: Hashable, Sendable {
        /// Component to the right.
        public var x: Double
        /// Component ahead.
        public var y: Double
    }

    /// Placement without the properties of the display.
    public var placement: Placement
    /// Revision of the view in which it last changed.
    public var revision: UInt64
    /// Whether its position lies on the display.
    public var isVisible: Bool
    /// Hint on the border of the display; nil for visible placements and less important ones.
    public var hint: OffscreenHint?
    /// Point on the radar; nil without a heading, and for displays without a radar.
    public var radar: RadarPoint?
}
