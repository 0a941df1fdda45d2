import WaymarkInterface

extension WaymarkMetrics {
    /// Maximum number of reported devices. A board has three.
    private static let maximumDeviceCount = 64

    /// The sensor devices, by the labels `device` and `identifier`.
    static func devices(_ all: [Device]) -> [MetricFamily] {
        let devices = all.prefix(maximumDeviceCount)
        return [facts(devices), deviceStates(devices)] + counts(devices) + rates(devices)
    }

    private static func labels(_ device: Device) -> [Label] {
        [Label("device", device.name), Label("identifier", device.identifier)]
    }

    private static func facts(_ devices: ArraySlice<Device>) -> MetricFamily {
        var family = MetricFamily("waymark_device", .info, help: "How a device is sampled.")
        for device in devices {
            family.add(
                1,
                labels(device) + [
                    Label("clock", device.clock?.description ?? ""),
                    Label("sampling", device.sampling?.description ?? ""), Label("trigger", device.trigger ?? ""),
                ])
        }
        return family
    }

    private static func deviceStates(_ devices: ArraySlice<Device>) -> MetricFamily {
        var family = MetricFamily("waymark_device_state", .stateSet, help: "State of a device.")
        for device in devices {
            family.add(
                states: names(StatusInterface.DeviceState.self), applying: [device.state.description], labels(device))
        }
        return family
    }

    private static func counts(_ devices: ArraySlice<Device>) -> [MetricFamily] {
        var samples = MetricFamily("waymark_device_samples", .counter, help: "Samples of a device.")
        var gaps = MetricFamily("waymark_device_gaps", .counter, help: "Gaps between samples of a device.")
        var dropped = MetricFamily(
            "waymark_device_dropped_samples", .counter, help: "Samples of a device that were discarded.")
        for device in devices {
            samples.add(device.samples, labels(device))
            gaps.add(device.gaps, labels(device))
            dropped.add(device.dropped, labels(device))
        }
        return [samples, gaps, dropped]
    }

    private static func rates(_ devices: ArraySlice<Device>) -> [MetricFamily] {
        var age = MetricFamily(
            "waymark_device_sample_age_seconds", unit: "seconds", help: "Time since the last sample of a device.")
        var requested = MetricFamily(
            "waymark_device_requested_rate_hertz", unit: "hertz", help: "Sampling rate that was requested.")
        var granted = MetricFamily(
            "waymark_device_granted_rate_hertz", unit: "hertz", help: "Sampling rate that the driver granted.")
        var temperature = MetricFamily(
            "waymark_device_temperature_celsius", unit: "celsius", help: "Temperature of a device.")
        for device in devices {
            age.add(device.age, labels(device))
            requested.add(device.requestedRate, labels(device))
            granted.add(device.grantedRate, labels(device))
            temperature.add(device.temperature, labels(device))
        }
        return [age, requested, granted, temperature]
    }
}
