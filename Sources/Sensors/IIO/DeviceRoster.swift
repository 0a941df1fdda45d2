import Linux

/// Registry of the devices of a source: those running, those seen earlier, and the kinds without a device.
struct DeviceRegistry {
    var workers: [DeviceWorker] = []
    /// Reports by device name and kinds: counts continue when a device comes back.
    private var statuses: [(plan: DevicePlan, status: DeviceStatus)] = []
    private var missing: [(kind: SensorKind, status: DeviceStatus)] = []

    /// Kinds that no running worker delivers.
    mutating func wanted(_ settings: IIOSettings) -> [SensorKind] {
        workers.removeAll(where: \.hasEnded)
        let served = Set(workers.flatMap(\.plan.kinds))
        return SensorKind.allCases.filter { !served.contains($0) }
    }

    mutating func start(
        _ plan: DevicePlan, settings: IIOSettings, pace: PaceControl, queue: MeasurementQueue, ended: EventDescriptor
    ) {
        let status = status(for: plan)
        missing.removeAll { plan.kinds.contains($0.kind) }
        workers.append(
            DeviceWorker(plan: plan, settings: settings, pace: pace, queue: queue, status: status, ended: ended))
    }

    /// Reports that no device delivers a kind, in the report of the device that delivered it before if there was one.
    mutating func reportMissing(_ kind: SensorKind, settings: IIOSettings, detail: String) {
        if let known = statuses.first(where: { $0.plan.kinds.contains(kind) }) {
            // A device that was unplugged has reported that itself.
            if known.status.snapshot.state != .searching { known.status.set(.searching, detail) }
            return
        }
        if !missing.contains(where: { $0.kind == kind }) {
            missing.append((kind, DeviceStatus(name: kind.rawValue, identifier: settings.contextURI)))
        }
        missing.first { $0.kind == kind }?.status.set(.searching, detail)
    }

    /// Reports of all devices and missing kinds, in the order of the kinds.
    var reports: [DeviceReport] {
        let found = statuses.map { ($0.plan.kinds.first ?? .barometer, $0.status.snapshot) }
        let absent = missing.map { ($0.kind, $0.status.snapshot) }
        return (found + absent).sorted { $0.0 < $1.0 }.map { $0.1 }
    }

    /// Report of the same device as before, with its present identifier, or a new one. Reports of other devices that
    /// delivered the same kinds are removed.
    private mutating func status(for plan: DevicePlan) -> DeviceStatus {
        if let place = statuses.firstIndex(where: { $0.plan.name == plan.name && $0.plan.kinds == plan.kinds }) {
            statuses[place].plan = plan
            statuses[place].status.update { $0.identifier = plan.identifier }
            return statuses[place].status
        }
        statuses.removeAll { old in old.plan.kinds.contains { plan.kinds.contains($0) } }
        let status = DeviceStatus(name: plan.name, identifier: plan.identifier)
        statuses.append((plan, status))
        return status
    }
}
