extension Setting {
    static let power: [Setting] = [
        Setting(
            .power, "enabled", .toggle(\.power.enabled), requiresRestart: false,
            "Whether sampling rates are reduced while poses are not used: no subscriber, no recent request for a pose "
                + "or scene, no recording, no calibration. Estimation continues; a new client has the full rate at "
                + "once."
        ),
        Setting(
            .power, "idle_after_seconds", .number(\.power.idleAfterSeconds, 1...3600), unit: "s",
            requiresRestart: false,
            "Time without use of poses before idling. Increases up to ten minutes while clients return soon after."),
        Setting(
            .power, "idle_inertial_rate_hz", .number(\.power.idleInertialRateHz, 25...4000), unit: "Hz",
            requiresRestart: false,
            "Accelerometer and gyroscope rate while idle; at most the rate of each. Steps and turns "
                + "are tracked well at 50 Hz; for lower rates see docs/supervision.md."),
        Setting(
            .power, "idle_magnetometer_rate_hz", .number(\.power.idleMagnetometerRateHz, 1...1000), unit: "Hz",
            requiresRestart: false,
            "Magnetometer rate while idle; at most iio.magnetometer.rate_hz."),
        Setting(
            .power, "idle_barometer_rate_hz", .number(\.power.idleBarometerRateHz, 0.1...200), unit: "Hz",
            requiresRestart: false,
            "Barometer rate while idle; at most iio.pressure.rate_hz."),
    ]
}
