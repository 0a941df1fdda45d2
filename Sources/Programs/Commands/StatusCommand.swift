import Configuration
import WaymarkClient

extension Command {
    static let status = Command("status", "Show daemon and sensor health.", options: [Flag.json]) { options in
        let status = try Waymark.Client().status()
        return try options.show(status, as: StatusText.lines(status))
    }

    static let devices = Command(
        "devices", "List the sensors: rates, scales, mount matrices, clocks and gaps.", options: [Flag.json]
    ) { options in
        let client = try Waymark.Client()
        let devices = try client.devices()
        // The devices are useful even if the status cannot be read.
        let status = options[.json] ? nil : try? client.status()
        let lines = DeviceText.lines(devices, calibration: status?.calibration)
        let note = status.map { $0.source == .simulation } == true ? DeviceText.simulated : []
        return try options.show(["devices": devices], as: lines + note)
    }
}
