/// What is to be said of a board.
public struct Diagnosis: Sendable {
    /// Group by group, and in each what was looked at in its order.
    public let findings: [Finding]

    /// What all rules make of what was seen.
    public init(of facts: BoardFacts) {
        let rules: [(BoardFacts) -> [Finding]] = [
            ConfigurationRules.findings, ServiceRules.findings, SocketRules.findings, DaemonRules.findings,
            KernelRules.findings, AccessRules.findings, DeviceRules.findings, SignalRules.findings,
            ScaleRules.findings, MountRules.findings, ReceiverRules.findings, ClockRules.findings,
            StorageRules.findings, CalibrationRules.findings, RoutingRules.findings,
        ]
        findings = rules.flatMap { $0(facts) }
    }

    /// The gravest there is.
    public var level: Finding.Level { findings.map(\.level).max() ?? .ok }

    /// How many findings are of one level.
    public func count(_ level: Finding.Level) -> Int { findings.reduce(0) { $0 + ($1.level == level ? 1 : 0) } }
}
