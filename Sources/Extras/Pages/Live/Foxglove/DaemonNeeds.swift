/// Data needed from the daemon: streams, and values that are requested once a second.
struct DaemonNeeds: OptionSet, Hashable {
    let rawValue: UInt8

    static let poses = DaemonNeeds(rawValue: 1)
    static let frames = DaemonNeeds(rawValue: 2)
    /// Changes of the scene.
    static let scene = DaemonNeeds(rawValue: 4)
    /// The route's vertices.
    static let route = DaemonNeeds(rawValue: 8)
    static let status = DaemonNeeds(rawValue: 16)
    /// Sources of measurements that other programs send.
    static let aids = DaemonNeeds(rawValue: 32)
}
