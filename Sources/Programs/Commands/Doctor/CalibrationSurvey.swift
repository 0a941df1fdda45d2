import Configuration
import Persistence
import WaymarkClient

/// Survey of the calibrations that a running daemon has stored, and of the remaining errors that it estimates.
package struct CalibrationSurvey {
    let settings: Configuration

    package init(settings: Configuration) { self.settings = settings }

    /// Returns facts about the calibrations; nil if the daemon does not list them, so that no conclusion is drawn.
    package func facts(_ client: Waymark.Client, _ status: Waymark.Status) -> CalibrationFacts? {
        let devices = (try? client.devices()) ?? []
        guard let kept = try? client.calibrations() else { return nil }
        var facts = CalibrationFacts(
            entries: kept.map { entry(of: $0, devices) }, isApplied: settings.calibration.apply)
        facts.damaged = CalibrationFiles(state: settings.state.directory).damaged
        facts.gyroscopeBias = bias(status)
        return facts
    }

    private func entry(of kept: Waymark.CalibrationEntry, _ devices: [Waymark.Device]) -> CalibrationFacts.Entry {
        let device = devices.first { $0.name == kept.device }
        // The mount is calibrated in the axes of the accelerometer.
        let sensor = "\(kept.sensor)" == "mount" ? "accelerometer" : "\(kept.sensor)"
        let mount = device?.axes?.first { "\($0.sensor)" == sensor }?.mountMatrix ?? device?.mountMatrix
        // A magnetometer whose rotation was calibrated is corrected to the axes of the other sensors, so its own mount
        // matrix does not matter.
        let isOther = kept.rotation == nil ? kept.mountMatrix.flatMap { made in mount.map { $0 != made } } : nil
        return CalibrationFacts.Entry(
            sensor: "\(kept.sensor)", device: kept.device, age: kept.age, isInForce: kept.inForce,
            isOfOtherMount: isOther)
    }

    private func bias(_ status: Waymark.Status) -> CalibrationFacts.GyroscopeBias? {
        status.calibration.residuals.first { $0.sensor == .gyroscope }.map { residual in
            CalibrationFacts.GyroscopeBias(
                magnitude: residual.bias.reduce(0) { $0 + $1 * $1 }.squareRoot(),
                standardDeviation: residual.standardDeviation.max() ?? .infinity)
        }
    }
}
