import CIIO

/// Trigger by which a device samples into its buffer.
enum DeviceTrigger {
    /// Assigns the device's own trigger, named `NAME-devN` by the kernel's convention, if it has none.
    ///
    /// - Returns: whether a trigger was assigned.
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
