import Geometry

/// North from the magnetometer, for the first time and anew.
extension ErrorStateKalmanFilter {
    /// North for the first time. What it owes to the tilt and to the hard iron moves with them when they are known better.
    mutating func beginHeading(_ measured: Vector3) {
        let offset = fieldOffsetDeviation
        isolate(ErrorState.magneticOffset, count: 1, variance: offset * offset)
        turnFrame(by: magneticYawModel(measured).innovation)
        takeYaw(measured)
        heading.status = .unconfirmed(site?.field == nil ? .magnetic : .geographic)
    }

    /// North anew, once the magnetometer is put right by which alone it was known; what fixes have said of the motion stays.
    mutating func renewHeading(_ measured: Vector3) {
        heading.renew()
        influence.cause = .calibration
        turnBody(by: magneticYawModel(measured).innovation)
        takeYaw(measured)
    }

    private mutating func takeYaw(_ measured: Vector3) {
        let unknown = settings.initial.unknownYawDeviation
        isolate(ErrorState.yaw, count: 1, variance: unknown * unknown)
        let model = magneticYawModel(measured)
        let deviation = settings.initial.magneticYawDeviation
        correct(
            innovation: column(model.innovation), jacobian: model.jacobian, noise: column(deviation * deviation),
            mask: .yaw, gate: nil)
    }
}
