import Documents
import Estimation
import Geometry
import Model

/// State of the calibration of the sensors, as org.waymark.Status reports it.
struct CalibrationStatusMessage: Encodable {
    struct Sensor: Encodable {
        let sensor: String
        let device: String
        let inForce: Bool
        let age: Double
        let origin: String
        let predictedHeadingError: Double?
        let predictedTiltError: Double?
    }

    /// Residual errors that the estimator has learned beside the calibration.
    struct Residual: Encodable {
        let sensor: String
        let bias: [Double]
        let standardDeviation: [Double]

        init?(_ sensor: CalibratedSensor, _ estimate: SensorResiduals.Bias?) {
            guard let estimate, estimate.value.isFinite, estimate.deviation.isFinite else { return nil }
            self.sensor = sensor.rawValue
            bias = [estimate.value.x, estimate.value.y, estimate.value.z]
            standardDeviation = [estimate.deviation.x, estimate.deviation.y, estimate.deviation.z]
        }
    }

    struct Proposal: Encodable {
        let hardIron: [Double]
        let standardDeviation: [Double]
        let seconds: Double
        let residualBefore: Double
        let residualAfter: Double
        let proven: Bool

        init?(_ proposal: HardIronProposal?) {
            guard let proposal, proposal.offset.isFinite, proposal.deviation.isFinite, proposal.seconds.isFinite,
                proposal.residualBefore.isFinite, proposal.residualAfter.isFinite
            else { return nil }
            hardIron = [proposal.offset.x, proposal.offset.y, proposal.offset.z]
            standardDeviation = [proposal.deviation.x, proposal.deviation.y, proposal.deviation.z]
            seconds = proposal.seconds
            residualBefore = proposal.residualBefore
            residualAfter = proposal.residualAfter
            proven = proposal.isProven
        }
    }

    let sensors: [Sensor]
    let residuals: [Residual]
    let proposal: Proposal?
    let running: String?

    init(_ service: CalibrationService, residuals found: SensorResiduals?, proposal: HardIronProposal?) {
        let degrees = 180 / Double.pi
        sensors = CalibrationList.entries(of: service).filter { $0.sensor != .noise }.map { entry in
            Sensor(
                sensor: entry.sensor.rawValue, device: entry.device.identity, inForce: entry.isInForce,
                age: entry.age, origin: entry.record.origin.rawValue,
                predictedHeadingError: entry.record.predictedHeadingError.map { $0 * degrees },
                predictedTiltError: entry.record.predictedTiltError.map { $0 * degrees })
        }
        residuals = [
            Residual(.gyroscope, found?.gyroBias), Residual(.accelerometer, found?.accelerometerBias),
            Residual(.magnetometer, found?.hardIron),
        ].compactMap { $0 }
        self.proposal = Proposal(proposal)
        running = service.live?.kind.rawValue
    }
}
