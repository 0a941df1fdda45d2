/// Facts collected from a board. Facts that could not be collected are nil, and their checks are skipped.
package struct BoardFacts: Sendable {
    /// Version of the diagnosing program.
    package var version: String
    /// Whether the board is held as it is worn, so that the mount can be checked against gravity.
    package var isWorn = false
    package var configuration: ConfigurationFacts?
    /// systemd unit of the daemon; nil without systemd.
    package var unit: UnitFacts?
    package var socket: SocketFacts?
    /// The running daemon; nil if none answered.
    package var daemon: DaemonFacts?
    /// Facts about the kernel; nil if the sensors belong to another computer.
    package var kernel: KernelFacts?
    /// User whose permissions are checked: the one that the daemon runs as.
    package var account: AccountFacts?
    package var changes: ChangeFacts?
    /// Devices as described by the kernel or by iiod.
    package var devices: DevicesFacts?
    /// Sensor streams as received by the daemon or by the doctor itself.
    package var streams: [StreamFacts] = []
    /// Facts about gpsd and its receiver; nil if the settings disable the receiver.
    package var receiver: ReceiverFacts?
    package var clock: ClockFacts?
    package var storage: StorageFacts?
    /// Stored calibrations; nil without permission to read them.
    package var calibrations: CalibrationFacts?
    /// Facts about the routing service; nil if none is configured.
    package var routing: RoutingFacts?
    /// systemd unit of the navigator; nil without systemd.
    package var navigatorUnit: UnitFacts?
    /// Descriptions of the checks that were skipped because permission was missing.
    package var skippedChecks: [String] = []

    package init(version: String) { self.version = version }
}

extension BoardFacts {
    var sensors: [SensorFacts] { devices?.sensors ?? [] }

    func stream(of kind: SensorFacts.Kind) -> StreamFacts? { streams.first { $0.kind == kind } }
}
