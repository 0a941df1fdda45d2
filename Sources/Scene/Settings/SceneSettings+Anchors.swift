extension SceneSettings {
    /// Anchors: what clients place themselves.
    public struct Anchors: Hashable, Sendable {
        /// The most of one client.
        public var mostPerClient = 64
        /// The most of all clients together.
        public var most = 256
        /// An anchor that holds is laid out anew when its place by the map is off by this multiple of its standard deviation.
        public var holdSigmas = 3.0

        public init() {}
    }
}
