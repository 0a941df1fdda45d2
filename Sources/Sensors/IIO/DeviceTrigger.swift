import CIIO

/// The trigger that makes a device sample into its buffer.
enum DeviceTrigger {
    /// Gives a device that has no trigger its own one, `NAME-devN` by the kernel's custom.
    ///
    /// - Returns: whether one was set.
    static func setOwn(_ device: IIODevice) -> Bool {
        var current: OpaquePointer?
        if iio_device_get_trigger(device.pointer, &current) == 0, current != nil { return false }
        guard let name = device.name else { return false }
        let number = device.identifier.reversed().prefix { $0.isNumber }.reversed()
        let triggers = device.context.devices.filter(\.isTrigger)
        let own =
            triggers.first { $0.name == "\(name)-dev\(String(number))" }
            ?? triggers.first { $0.name?.hasPrefix("\(name)-") == true }
        guard let own else { return false }
        return iio_device_set_trigger(device.pointer, own.pointer) == 0
    }
}
