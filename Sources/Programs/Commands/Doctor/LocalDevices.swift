import Sensors

/// Survey of this computer's IIO devices: sensors and access permissions, from files in /sys and /dev.
struct LocalDevices {
    let host: Host
    /// Whether a daemon is running. If so, it has enabled the buffers of the devices.
    let hasDaemon: Bool

    private static let folder = "/sys/bus/iio/devices"
    private static let maximumCount = 64

    func facts() -> DevicesFacts {
        var facts = DevicesFacts(context: "local:")
        let mounts = mountProblems()
        let identifiers = host.names(Self.folder).filter { $0.hasPrefix("iio:device") }
        for identifier in identifiers.prefix(Self.maximumCount) {
            guard var sensor = sensor(identifier) else { continue }
            sensor.mountProblem = mounts[identifier]
            facts.sensors.append(sensor)
        }
        return facts
    }

    /// Mount problems by device identifier. They are found, as in the daemon, in udev's database and the driver's
    /// matrix.
    private func mountProblems() -> [String: String] {
        guard host.isReal, let found = try? DeviceSurvey.read(context: "local:") else { return [:] }
        return found.reduce(into: [:]) { $0[$1.identifier] = $1.mountProblem }
    }

    private func sensor(_ identifier: String) -> SensorFacts? {
        let folder = "\(Self.folder)/\(identifier)"
        let files = Set(host.names(folder))
        let scans = Set(host.names(folder + "/scan_elements"))
        func hasAxes(_ prefix: String, _ names: Set<String>, _ ending: String) -> Bool {
            ["x", "y", "z"].allSatisfy { names.contains("in_\(prefix)_\($0)_\(ending)") }
        }
        let kinds = SensorKinds.prefixes.filter { hasAxes($0.1, scans, "en") || hasAxes($0.1, files, "raw") }
        guard !kinds.isEmpty else { return nil }
        let name = host.text(folder + "/name").map { String($0.prefix(64)) } ?? identifier
        var sensor = SensorFacts(name: name, identifier: identifier, kinds: kinds.map(\.0))
        sensor.label = host.text(folder + "/label").map { String($0.prefix(64)) }
        sensor.isBuffered = kinds.allSatisfy { hasAxes($0.1, scans, "en") }
        let node = "/dev/\(identifier)"
        sensor.node = (node, host.permission(node))
        sensor.attributes = attributes(folder, files, scans)
        sensor.isTaken = !hasDaemon && isOn(folder)
        return sensor
    }

    private func isOn(_ folder: String) -> Bool {
        ["buffer", "buffer0"].contains { host.text("\(folder)/\($0)/enable") == "1" }
    }

    /// Attributes that libiio writes and that the driver makes writable. The udev rules grant access to them.
    private func attributes(
        _ folder: String, _ files: Set<String>, _ scans: Set<String>
    ) -> [(name: String, permission: Permission)] {
        var names = scans.filter { $0.hasPrefix("in_") && $0.hasSuffix("_en") }.map { "scan_elements/\($0)" }
        names += ["enable", "length", "watermark"].map { "buffer/\($0)" }
        names += ["trigger/current_trigger", "current_timestamp_clock", "sampling_frequency"]
        names += files.filter { file in
            file.hasSuffix("sampling_frequency") && SensorKinds.prefixes.contains { file.hasPrefix("in_\($0.1)") }
        }
        return names.sorted().compactMap { name in
            guard let permission = host.permission("\(folder)/\(name)"), permission.mode & 0o222 != 0 else {
                return nil
            }
            return (name, permission)
        }
    }
}
