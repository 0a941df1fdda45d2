/// All findings about a board.
public struct Diagnosis: Sendable {
    /// Findings by group, in the order of the checks.
    public let findings: [Finding]

    /// Applies all rules to the collected facts.
    public init(of facts: BoardFacts) {
        let rules: [(BoardFacts) -> [Finding]] = [
            ConfigurationRules.findings, ServiceRules.findings, SocketRules.findings, DaemonRules.findings,
            KernelRules.findings, AccessRules.findings, RightsRules.findings, DeviceRules.findings,
            SignalRules.findings, ScaleRules.findings, MountRules.findings, CompassMatrixRules.findings,
            UprightRules.findings, ReceiverRules.findings,
            ClockRules.findings, StorageRules.findings, CalibrationRules.findings, RoutingRules.findings,
            NavigatorRules.findings,
        ]
        findings = rules.flatMap { $0(facts) }
    }

    /// Highest level of all findings.
    public var level: Finding.Level { findings.map(\.level).max() ?? .ok }

    /// Number of findings of a level.
    public func count(_ level: Finding.Level) -> Int { findings.reduce(0) { $0 + ($1.level == level ? 1 : 0) } }
}

/// Facts collected from a board. Facts that could not be collected are nil, and their checks are skipped.
public struct BoardFacts: Sendable {
    /// Version of the diagnosing program.
    public var version: String
    /// Whether the board is held as it is worn, so that the mount can be checked against gravity.
    public var isWorn = false
    /// Settings of the daemon.
    public var configuration: ConfigurationFacts?
    /// systemd unit of the daemon; nil without systemd.
    public var unit: UnitFacts?
    /// Socket of the daemon.
    public var socket: SocketFacts?
    /// The running daemon; nil if none answered.
    public var daemon: DaemonFacts?
    /// Kernel state; nil for sensors of another computer.
    public var kernel: KernelFacts?
    /// User whose permissions are checked: that of the daemon.
    public var account: AccountFacts?
    /// Right of the caller to make changes; nil if it was not looked at.
    public var changes: ChangeFacts?
    /// Devices as described by the kernel or by iiod.
    public var devices: DevicesFacts?
    /// Sensor streams as received by the daemon or by the doctor itself.
    public var streams: [StreamFacts] = []
    /// GNSS receiver; nil if disabled in the settings.
    public var receiver: ReceiverFacts?
    /// System clock.
    public var clock: ClockFacts?
    /// State and recording folders.
    public var storage: StorageFacts?
    /// Stored calibrations; nil without permission to read them.
    public var calibrations: CalibrationFacts?
    /// Routing service; nil if none is configured.
    public var routing: RoutingFacts?
    /// systemd unit of the navigator; nil without systemd.
    public var navigatorUnit: UnitFacts?
    /// Descriptions of the checks skipped for want of permission.
    public var skippedChecks: [String] = []

    /// No facts yet.
    public init(version: String) { self.version = version }
}
