import CIIO

extension DeviceSummary {
    /// Reads the description of a device; touches no attribute.
    init(_ device: IIODevice) {
        self.init(identifier: device.identifier, name: device.name, label: device.label, channels: [:])
        for channel in device.channels where !channel.isOutput {
            channels[channel.identifier] = Channel(
                isScanElement: channel.isScanElement && channel.index >= 0,
                isReadable: channel.hasAttribute("raw") || channel.hasAttribute("input"))
        }
    }
}

extension IIOContext {
    /// All devices that may be sensors; hostile numbers of them are cut.
    var summaries: [DeviceSummary] {
        devices.prefix(256).filter { !$0.isTrigger }.map { DeviceSummary($0) }
    }

    /// The device of a plan, by identifier and name: after a replug the identifier may be another device's.
    func device(of plan: DevicePlan) -> IIODevice? {
        devices.first { $0.identifier == plan.identifier && ($0.name ?? $0.identifier) == plan.name }
    }
}
