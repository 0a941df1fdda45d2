extension SceneSettings {
    /// Anchors: what clients place themselves.
    public struct Anchors: Hashable, Sendable {
        /// The most of one client.
        public var mostPerClient = 64
        /// The most of all clients together.
        public var most = 256

        public init() {}
    }
}
