import WaymarkInterface

extension WaymarkMetrics {
    /// Maximum number of reported devices. A board has three.
    private static let maximumDeviceCount = 64

    /// Metrics of the sensor devices; each sample has the labels `device` and `identifier`.
    static func devices(_ all: [StatusInterface.Device]) -> [MetricFamily] {
        let devices = all.prefix(maximumDeviceCount).map { device in
            (item: device, labels: [Label("device", device.name), Label("identifier", device.identifier)])
        }
        let sampled = devices.map { device, labels in
            let facts = [
                Label("clock", device.clock?.description ?? ""),
                Label("sampling", device.sampling?.description ?? ""), Label("trigger", device.trigger ?? ""),
            ]
            return (item: device, labels: labels + facts)
        }
        var states = MetricFamily("waymark_device_state", .stateSet, help: "State of a device.")
        for (device, labels) in devices {
            states.add(states: names(StatusInterface.DeviceState.self), applying: [device.state.description], labels)
        }
        return [
            family("waymark_device", .info, "How a device is sampled.", sampled) { _ in 1 },
            states,
            counter("waymark_device_samples", "Samples of a device.", devices) { $0.samples },
            counter("waymark_device_gaps", "Gaps between samples of a device.", devices) { $0.gaps },
            counter("waymark_device_dropped_samples", "Samples of a device that were discarded.", devices) {
                $0.dropped
            },
            gauge("waymark_device_sample_age_seconds", "Time since the last sample of a device.", devices) { $0.age },
            gauge("waymark_device_requested_rate_hertz", "Sampling rate that was requested.", devices) {
                $0.requestedRate
            },
            gauge("waymark_device_granted_rate_hertz", "Sampling rate that the driver granted.", devices) {
                $0.grantedRate
            },
            gauge("waymark_device_temperature_celsius", "Temperature of a device.", devices) { $0.temperature },
        ]
    }
}
