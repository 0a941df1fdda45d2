/// Kernel support for the sensors.
package struct KernelFacts: Sendable {
    /// Whether the IIO core is loaded.
    package var hasIIO: Bool
    /// Chips in the hardware description (device tree, ACPI) without a bound driver. `name` has the bus address and the
    /// chip, such as `1-0068 (mpu6050)`; `module` is the argument for modprobe.
    package var unboundChips: [(name: String, module: String)] = []
    /// Whether the udev rules that grant access to the daemon are installed.
    package var hasRules = true

    package init(hasIIO: Bool) { self.hasIIO = hasIIO }
}

/// User that the daemon runs as.
package struct AccountFacts: Hashable, Sendable {
    package var name: String
    /// User ID; nil if the user does not exist.
    package var user: UInt32?
    /// Group IDs, including the primary group.
    package var groups: [UInt32] = []
    /// Whether this is the calling user, because the daemon's user is not known.
    package var isCaller = false

    package init(name: String, user: UInt32?, groups: [UInt32] = [], isCaller: Bool = false) {
        (self.name, self.user, self.groups, self.isCaller) = (name, user, groups, isCaller)
    }

    /// Whether this user exists for the daemon alone: it is neither the caller nor root.
    var isService: Bool { !isCaller && user != nil && user != 0 }

    /// The user, as the subject of a sentence.
    var noun: String { isCaller ? "you" : name }
}

/// Ownership and permission bits of a file, as of stat(2).
package struct Permission: Hashable, Sendable {
    package var owner, group, mode: UInt32
    /// Names of the owner and of the group; nil for an ID without a name.
    package var ownerName, groupName: String?

    package init(owner: UInt32, group: UInt32, mode: UInt32) {
        (self.owner, self.group, self.mode) = (owner, group, mode)
    }

    /// Whether `account` has all permissions in `bits` (4 read, 2 write, 1 execute); root always has them.
    package func allows(_ bits: UInt32, to account: AccountFacts) -> Bool {
        guard let user = account.user else { return false }
        if user == 0 { return true }
        let own = user == owner ? mode >> 6 : account.groups.contains(group) ? mode >> 3 : mode
        return own & bits == bits
    }

    /// Names who else, besides `account` and root, has one of the permissions in `bits`: every user, a group or a user;
    /// nil if no one else has one.
    func others(than account: AccountFacts, with bits: UInt32) -> String? {
        if mode & bits != 0 { return "every user" }
        if (mode >> 3) & bits != 0, group != 0 { return "group \(groupName ?? "\(group)")" }
        if (mode >> 6) & bits != 0, owner != 0, owner != account.user { return "user \(ownerName ?? "\(owner)")" }
        return nil
    }
}

/// Sensors of an IIO context.
package struct DevicesFacts: Sendable {
    /// libiio context URI, such as `local:`.
    package var context: String
    /// Sensors of the context, ordered by identifier.
    package var sensors: [SensorFacts] = []
    /// Why the context could not be opened; nil if it was.
    package var problem: String?

    package init(context: String) { self.context = context }

    /// Whether the sensors belong to this computer.
    package var isLocal: Bool { context.hasPrefix("local") }
}

/// One IIO device that contains a usable sensor.
package struct SensorFacts: Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case accelerometer, gyroscope, magnetometer
    }

    /// Device name in the kernel, usually the chip, and identifier, such as `iio:device0`.
    package var name, identifier: String
    /// Label from the hardware description.
    package var label: String?
    package var kinds: [Kind]
    /// Whether the device has an IIO buffer; otherwise it is polled.
    package var isBuffered = true
    /// Flaw in the mount matrix from udev or the driver; nil if the matrix is valid or absent.
    package var mountProblem: String?
    /// Node in /dev with its permissions; nil if it was not checked. The permissions are nil if the node does not
    /// exist.
    package var node: (path: String, permission: Permission?)?
    /// Permissions of the files in /sys that configure the buffer, by file name.
    package var attributes: [(name: String, permission: Permission)] = []
    /// Programs other than the daemon that have the device open, such as `iio-sensor-proxy (412)`.
    package var holders: [String] = []
    /// Whether the buffer is enabled although no daemon is running.
    package var isTaken = false

    package init(name: String, identifier: String, kinds: [Kind]) {
        (self.name, self.identifier, self.kinds) = (name, identifier, kinds)
    }

    /// Whether the device has this name or identifier, and has this label; nil matches any text.
    func isCalled(_ text: String?, label wanted: String?) -> Bool {
        (text == nil || text == name || text == identifier) && (wanted == nil || wanted == label)
    }
}
