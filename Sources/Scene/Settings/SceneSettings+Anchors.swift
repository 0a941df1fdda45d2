extension SceneSettings {
    /// Settings of anchors, which are placements made by clients.
    public struct Anchors: Hashable, Sendable {
        /// Maximum number of anchors of one client.
        public var mostPerClient = 64
        /// Maximum number of anchors of all clients together.
        public var most = 256
        /// Distance, in standard deviations, between a held anchor and its position by the map beyond which the anchor
        /// is moved.
        public var holdSigmas = 3.0

        /// Default settings.
        public init() {}
    }
}
