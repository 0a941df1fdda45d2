/// All findings about a board.
public struct Diagnosis: Sendable {
    /// Findings by group, in the order of the checks.
    public let findings: [Finding]

    /// Applies all rules to the collected facts.
    public init(of facts: BoardFacts) {
        let rules: [(BoardFacts) -> [Finding]] = [
            ConfigurationRules.findings, ServiceRules.findings, SocketRules.findings, DaemonRules.findings,
            KernelRules.findings, AccessRules.findings, DeviceRules.findings, SignalRules.findings,
            ScaleRules.findings, MountRules.findings, ReceiverRules.findings, ClockRules.findings,
            StorageRules.findings, CalibrationRules.findings, RoutingRules.findings,
        ]
        findings = rules.flatMap { $0(facts) }
    }

    /// Highest level of all findings.
    public var level: Finding.Level { findings.map(\.level).max() ?? .ok }

    /// Number of findings of a level.
    public func count(_ level: Finding.Level) -> Int { findings.reduce(0) { $0 + ($1.level == level ? 1 : 0) } }
}
