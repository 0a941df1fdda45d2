package struct BeaconSettings: Sendable {
    package var socket: String
    package var ringSocket: String
    package var choice: TargetChoice
    /// Factor of all amplitudes, 0 to 1.
    package var volume: Double
    /// Audio device; nil for the default one.
    package var device: String?
    /// File to write instead of using a device; nil for none.
    package var waveFile: String?
    /// Time after which the beacon ends; nil for no end. Unit: seconds.
    package var seconds: Double?

    package init(
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
