/// Settings of what is published: the alignment of the scene frame, and the limits of the tracking states.
public struct PublicationSettings: Hashable, Sendable {
    /// Published alignment of the scene frame.
    public var scene = Scene()
    /// Limits of the tracking states.
    public var tracking = Tracking()

    /// Makes the defaults.
    public init() {}
}
