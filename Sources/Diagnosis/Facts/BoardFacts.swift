/// What was seen of a board; what could not be looked at is absent, and nothing is said of it.
public struct BoardFacts: Sendable {
    /// Of the program that looks.
    public var version: String
    /// The wearer holds the board as it is worn.
    public var isWorn = false
    public var configuration: ConfigurationFacts?
    /// Absent where no systemd runs.
    public var unit: UnitFacts?
    public var socket: SocketFacts?
    /// Absent where no daemon answered.
    public var daemon: DaemonFacts?
    /// Absent where the sensors are not this computer's.
    public var kernel: KernelFacts?
    /// Whose rights count: the daemon's.
    public var account: AccountFacts?
    /// As the kernel or the server of devices describes them.
    public var devices: DevicesFacts?
    /// As they delivered, to the daemon or to the doctor itself.
    public var streams: [StreamFacts] = []
    public var receiver: ReceiverFacts?
    public var clock: ClockFacts?
    public var storage: StorageFacts?
    public var calibrations: CalibrationFacts?

    public init(version: String) { self.version = version }
}
