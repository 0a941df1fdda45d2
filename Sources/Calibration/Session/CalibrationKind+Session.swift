extension CalibrationKind {
    /// A session of this kind, before its first sample.
    public func session(_ settings: CalibrationSettings) -> any CalibrationSession {
        switch self {
        case .gyroscope: GyroscopeSession(settings: settings)
        case .accelerometer: AccelerometerSession(settings: settings)
        case .magnetometer: MagnetometerSession(settings: settings)
        case .mount: MountSession(settings: settings)
        case .noise: NoiseSession(settings: settings)
        }
    }
}
