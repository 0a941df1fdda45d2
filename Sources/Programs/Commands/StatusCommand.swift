import Configuration
import WaymarkClient

/// `waymark status`: daemon and sensor health.
enum StatusCommand: Command {
    static let word = "status"

    private static let json = Flag("json", help: "Print one JSON object")

    static let syntax: Syntax = syntax("Show daemon and sensor health.", options: [json])

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let status = try Waymark.Client().status()
        try options[json] ? Terminal.print(JSONText.line(status)) : Terminal.print(StatusText.lines(status))
        return .done
    }
}

/// `waymark devices`: detected sensors and their data.
enum DevicesCommand: Command {
    static let word = "devices"

    private static let json = Flag("json", help: "Print one JSON object")

    static let syntax: Syntax = syntax(
        "List the sensors: rates, scales, mount matrices, clocks and gaps.", options: [json])

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let client = try Waymark.Client()
        let devices = try client.devices()
        guard !options[json] else {
            try Terminal.print(JSONText.line(["devices": devices]))
            return .done
        }
        // The devices are useful even if the status cannot be read.
        let status = try? client.status()
        let isSimulation = status.map { $0.source == .simulation } ?? false
        try Terminal.print(
            DeviceText.lines(devices, calibration: status?.calibration) + (isSimulation ? DeviceText.simulated : []))
        return .done
    }
}
