/// Settings of a beacon.
public struct BeaconSettings: Sendable {
    /// Socket of the daemon.
    public var socket: String
    /// Socket of the daemon's pose ring.
    public var ringSocket: String
    /// Choice of the placement that sounds.
    public var choice: TargetChoice
    /// Factor of all amplitudes, 0 to 1.
    public var volume: Double
    /// Audio device; nil for the default one.
    public var device: String?
    /// File to write instead of using a device; nil for none.
    public var waveFile: String?
    /// Time after which the beacon ends; nil for no end. Unit: seconds.
    public var seconds: Double?

    /// Settings of the given properties.
    public init(
        socket: String, ringSocket: String, choice: TargetChoice, volume: Double, device: String? = nil,
        waveFile: String? = nil, seconds: Double? = nil
    ) {
        self.socket = socket
        self.ringSocket = ringSocket
        self.choice = choice
        self.volume = volume
        self.device = device
        self.waveFile = waveFile
        self.seconds = seconds
    }
}
