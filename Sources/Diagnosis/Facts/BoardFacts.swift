/// What was seen of a board; what could not be looked at is absent, and nothing is said of it.
public struct BoardFacts: Sendable {
    /// Of the program that looks.
    public var version: String
    /// The wearer holds the board as it is worn.
    public var isWorn = false
    /// The daemon's settings.
    public var configuration: ConfigurationFacts?
    /// Absent where no systemd runs.
    public var unit: UnitFacts?
    /// Where the daemon is to be reached.
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
    /// Absent where the settings want no receiver.
    public var receiver: ReceiverFacts?
    /// The system's.
    public var clock: ClockFacts?
    /// Where the daemon writes.
    public var storage: StorageFacts?
    /// Absent where they may not be read.
    public var calibrations: CalibrationFacts?
    /// Absent where the settings name no routing service.
    public var routing: RoutingFacts?
    /// What was not looked at because who asks may not, in words.
    public var unseen: [String] = []

    /// Nothing seen yet, by a program of this version.
    public init(version: String) { self.version = version }
}
