import Geometry

/// Initial heading from the magnetometer, and its reset.
extension ErrorStateKalmanFilter {
    /// Sets the heading for the first time. Its correlation with tilt and hard iron is kept, so that it moves with them
    /// when they become better known.
    mutating func beginHeading(_ measured: Vector3) {
        let offset = fieldOffsetDeviation
        resetCovariance(ErrorState.magneticOffset, count: 1, variance: offset * offset)
        rotateYaw(by: magneticYawModel(measured).innovation)
        takeYaw(measured)
        heading.status = .unconfirmed(site?.field == nil ? .magnetic : .geographic)
    }

    /// Sets the heading again after the magnetometer, its only source so far, was corrected; position and velocity
    /// stay.
    mutating func renewHeading(_ measured: Vector3) {
        heading.renew()
        influence.cause = .calibration
        turnBody(by: magneticYawModel(measured).innovation)
        takeYaw(measured)
    }

    private mutating func takeYaw(_ measured: Vector3) {
        let unknown = settings.initial.unknownYawDeviation
        resetCovariance(ErrorState.yaw, count: 1, variance: unknown * unknown)
        let model = magneticYawModel(measured)
        let deviation = settings.initial.magneticYawDeviation
        correct(
            innovation: column(model.innovation), jacobian: model.jacobian, noise: column(deviation * deviation),
            mask: .yaw, gate: nil)
    }
}
