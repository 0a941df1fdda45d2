/// Settings of the publication: alignment of the scene frame, limits of the tracking states, and search for new hard
/// iron.
public struct PublicationSettings: Hashable, Sendable {
    /// Published alignment of the scene frame.
    public var scene = Scene()
    /// Limits of the tracking states.
    public var tracking = Tracking()
    /// Search for a hard iron that appears while the board is worn.
    public var hardIron = HardIron()

    /// Makes the defaults.
    public init() {}
}
