import Calibration
import Documents
import Geometry
import Model

extension CalibrationRecord {
    /// Creates the calibration of a magnetometer with a new hard iron, which was estimated while the board was worn.
    ///
    /// The field is modelled as C·M·(m − b), with C the rotation of the board. A residual c in body axes is removed by
    /// b' = b + M⁻¹·Cᵀ·c; soft iron and scale do not change.
    ///
    /// - Parameters:
    ///   - offset: c, in microtesla.
    ///   - standardDeviation: standard deviation of c, per axis, in microtesla.
    ///   - known: active calibration; nil if there is none.
    ///   - board: C.
    ///   - seconds: duration of the comparison.
    package init(
        hardIron offset: Vector3, standardDeviation: Vector3, over known: CalibrationRecord?, board: Matrix<3, 3>,
        mount: SensorMount?, seconds: Double, version: String
    ) {
        self = known ?? CalibrationRecord(time: 0, origin: .online, kind: .magnetometer, residualUnit: "")
        let old = known?.fit ?? SensorFit(sensor: .magnetometer)
        // The correction of an applicable record has an inverse.
        let back = (old.correction.inverse ?? .identity) * board.transpose
        var fit = old
        fit.bias = old.bias + back * offset
        func deviation(_ row: Int) -> Double {
            Vector3(
                back[row, 0] * standardDeviation.x, back[row, 1] * standardDeviation.y,
                back[row, 2] * standardDeviation.z
            ).norm
        }
        fit.biasStandardDeviation = Vector3(deviation(0), deviation(1), deviation(2))
        self.fit = fit
        time = CalibrationAge.now
        origin = .online
        self.version = version
        self.mount = mount
        self.seconds = seconds
        // These values describe the samples of the earlier calibration.
        (residualRMS, residualRMSBefore, temperature, samples) = (nil, nil, nil, 0)
    }
}
