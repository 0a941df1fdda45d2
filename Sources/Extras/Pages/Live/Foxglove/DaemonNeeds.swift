/// Data that is needed from the daemon: streams, and values that are requested once a second.
struct DaemonNeeds: OptionSet, Hashable {
    let rawValue: UInt8

    static let poses = DaemonNeeds(rawValue: 1)
    static let frames = DaemonNeeds(rawValue: 2)
    static let scene = DaemonNeeds(rawValue: 4)
    static let route = DaemonNeeds(rawValue: 8)
    static let status = DaemonNeeds(rawValue: 16)
    /// Sources of the measurements that other programs send.
    static let aids = DaemonNeeds(rawValue: 32)
}
