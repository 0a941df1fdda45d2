import Configuration
import Linux

/// One kind of output of the bridge: the setting that turns it on, and the function that makes it.
package struct OutputKind: Sendable {
    typealias Make = @Sendable (Bridge, String) throws -> any BridgeOutput

    /// Key of the kind's setting in the section `bridge`.
    let key: String
    /// Whether the setting is the address of an Internet socket.
    var isAddress = false
    /// Whether the output reports satellites, or heights above the sea.
    let usesReceiver: Bool
    /// Value of the kind's setting; nil while the output is off.
    let value: @Sendable (Configuration.Bridge) -> String?
    /// Command-line option, with the setting that it overrides; nil for an output that only settings can turn on.
    package let option: (option: Option<String>, setting: WritableKeyPath<Configuration.Bridge, String> & Sendable)?
    let make: Make

    /// All kinds, in the order in which outputs start.
    package static let all: [OutputKind] = [
        address(
            "gpsd", \.gpsd, "Serve gpsd's clients (cgps, gpspipe, QGIS) with the fused position", usesReceiver: true
        ) { bridge, address in
            try GPSDOutput(
                bridge.reactor, at: address, rate: bridge.section.rateHz, version: bridge.version,
                sentences: bridge.sentences, poses: bridge.poses, receiver: bridge.receiverView)
        },
        address("nmea_tcp", \.nmeaTCP, "Serve NMEA 0183 over TCP", usesReceiver: true) { bridge, address in
            try NMEAOutput(
                bridge.reactor, TCPListener(address), rate: bridge.section.rateHz, sentences: bridge.sentences,
                poses: bridge.poses, receiver: bridge.receiverView)
        },
        text("nmea_socket", \.nmeaSocket, "PATH", "Serve NMEA 0183 on a Unix socket") { bridge, path in
            try NMEAOutput(
                bridge.reactor, UnixListener(path: path, mode: bridge.socketMode, group: bridge.group),
                rate: bridge.section.rateHz, sentences: bridge.sentences, poses: bridge.poses,
                receiver: bridge.receiverView)
        },
        text(
            "nmea_terminal", \.nmeaTerminal, "PATH", "Link PATH to a pseudo terminal that carries NMEA 0183"
        ) { bridge, path in
            NMEATerminalOutput(
                bridge.reactor, try PseudoTerminal(path: path, group: bridge.group), rate: bridge.section.rateHz,
                sentences: bridge.sentences, poses: bridge.poses, receiver: bridge.receiverView)
        },
        address("opentrack", \.openTrack, "Send OpenTrack's UDP datagrams to this address") { bridge, address in
            OpenTrackOutput(
                bridge.reactor, try DatagramSender(to: address), rate: bridge.section.openTrackRateHz,
                sendsPosition: bridge.section.openTrackPosition, poses: bridge.poses)
        },
        address(
            "mavlink", \.mavlink, "Send MAVLink 2 by UDP to this address (udp:127.0.0.1:14550)", usesReceiver: true,
            reading: Configuration.Bridge.withoutProtocol
        ) { bridge, address in
            MAVLinkOutput(
                bridge.reactor, try DatagramSender(to: address), system: UInt8(bridge.section.mavlinkSystem),
                poses: bridge.poses, receiver: bridge.receiverView)
        },
        address(
            "metrics", \.metrics, "Serve the daemon's health for Prometheus, at /metrics over HTTP"
        ) { bridge, address in
            try MetricsOutput(at: address, statuses: bridge.statuses)
        },
        OutputKind(
            key: "sensor_proxy", usesReceiver: false, value: { $0.sensorProxy ? "" : nil }, option: nil,
            make: { bridge, _ in
                SensorProxyOutput(bridge.reactor, poses: bridge.poses) { [unowned bridge] in
                    // The first pose ends the state `initializing`.
                    bridge.statuses.newest.map { $0.status.state != .initializing } ?? false
                }
            }),
    ]

    private static func address(
        _ key: String, _ setting: WritableKeyPath<Configuration.Bridge, String> & Sendable, _ help: String,
        usesReceiver: Bool = false, reading: @escaping @Sendable (String) -> String = { $0 },
        make: @escaping @Sendable (Bridge, NetworkAddress) throws -> any BridgeOutput
    ) -> OutputKind {
        var kind = text(key, setting, "ADDRESS", help, usesReceiver: usesReceiver, reading: reading) { bridge, text in
            try make(bridge, try NetworkAddress(text))
        }
        kind.isAddress = true
        return kind
    }

    private static func text(
        _ key: String, _ setting: WritableKeyPath<Configuration.Bridge, String> & Sendable, _ value: String,
        _ help: String, usesReceiver: Bool = true, reading: @escaping @Sendable (String) -> String = { $0 },
        make: @escaping Make
    ) -> OutputKind {
        OutputKind(
            key: key, usesReceiver: usesReceiver,
            value: {
                let text = $0[keyPath: setting]
                return text.isEmpty ? nil : reading(text)
            },
            option: (Option.text(key.replacing("_", with: "-"), value: value, help: help), setting), make: make)
    }
}
