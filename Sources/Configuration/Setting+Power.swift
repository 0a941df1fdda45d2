extension Setting {
    static let power: [Setting] = [
        Setting(
            .power, "enabled", .toggle(\.power.enabled), requiresRestart: false,
            "Whether the sensors sample less often while nobody takes poses: no subscriber, no call for a pose or the scene "
                + "lately, no recording, no calibration. The estimate stays warm, and who comes has the full rate at once."
        ),
        Setting(
            .power, "idle_after_seconds", .number(\.power.idleAfterSeconds, 1...3600), unit: "s",
            requiresRestart: false,
            "How long nobody must have taken poses. Grows to ten minutes by itself while somebody comes back again and "
                + "again soon after."),
        Setting(
            .power, "idle_inertial_rate_hz", .number(\.power.idleInertialRateHz, 25...4000), unit: "Hz",
            requiresRestart: false,
            "Accelerometer and gyroscope samples a second while idle; never more than iio.inertial_rate_hz. Steps and turns "
                + "are followed well at 50 Hz; docs/filter.md has figures for less."),
        Setting(
            .power, "idle_magnetometer_rate_hz", .number(\.power.idleMagnetometerRateHz, 1...1000), unit: "Hz",
            requiresRestart: false,
            "Magnetometer samples a second while idle; never more than iio.magnetometer_rate_hz."),
        Setting(
            .power, "idle_barometer_rate_hz", .number(\.power.idleBarometerRateHz, 0.1...200), unit: "Hz",
            requiresRestart: false,
            "Pressure samples a second while idle; never more than iio.barometer_rate_hz."),
    ]
}
