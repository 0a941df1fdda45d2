import Configuration
import Model
import Recording
import Sensors

extension WarmStart.Sensors {
    /// Sensors as the sources report them: name and mount, since what is stored is in body axes. Those that are not
    /// there yet are unknown.
    package init(_ reports: [DeviceReport]) {
        self.init()
        for report in reports {
            let matrix = (report.mountMatrix ?? []).map { "\($0)" }.joined(separator: " ")
            let name = WarmStartMessage.plain(report.name + (matrix.isEmpty ? "" : " [\(matrix)]"))
            for channel in report.channels.map(\.name) {
                if channel.hasPrefix("anglvel") { gyroscope = name }
                if channel.hasPrefix("accel") { accelerometer = name }
                if channel.hasPrefix("magn") { magnetometer = name }
            }
            if report.identifier.hasPrefix("gpsd ") { receiver = WarmStartMessage.plain(report.identifier) }
        }
    }

    /// Sensors of a simulated walk: another seed is another board.
    package init(_ simulation: Configuration.Simulation) {
        self.init()
        let name = "simulated, seed \(simulation.seed)"
        (gyroscope, accelerometer, magnetometer, receiver) = (name, name, name, name)
    }
}
