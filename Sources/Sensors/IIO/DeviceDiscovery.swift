import CIIO

extension DeviceSummary {
    /// Summarizes a device from its description in the context; reads no attribute.
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
    /// Summaries of all devices that are not triggers, at most 256 in case of a hostile server.
    var summaries: [DeviceSummary] {
        devices.prefix(256).filter { !$0.isTrigger }.map { DeviceSummary($0) }
    }

    /// Device of a plan, matched by identifier and name: after replugging, the identifier may belong to another device.
    func device(of plan: DevicePlan) -> IIODevice? {
        devices.first { $0.identifier == plan.identifier && ($0.name ?? $0.identifier) == plan.name }
    }
}
