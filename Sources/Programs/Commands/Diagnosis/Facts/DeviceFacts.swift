/// Kernel support for the sensors.
public struct KernelFacts: Sendable {
    /// Whether the IIO core is loaded.
    public var hasIIO: Bool
    /// A chip in the hardware description (device tree, ACPI) without a bound driver.
    public struct UnboundChip: Hashable, Sendable {
        /// Bus address and chip name, such as `1-0068 (mpu6050)`.
        public var name: String
        /// Argument for modprobe: module name or alias of the chip.
        public var module: String

        /// A chip and the module of its driver.
        public init(name: String, module: String) {
            self.name = name
            self.module = module
        }
    }

    /// Chips without a bound driver.
    public var unboundChips: [UnboundChip] = []
    /// Whether the udev rules that grant access to the daemon are installed.
    public var hasRules = true

    /// A kernel with or without the IIO core.
    public init(hasIIO: Bool) { self.hasIIO = hasIIO }
}

/// User that the daemon runs as.
public struct AccountFacts: Hashable, Sendable {
    /// Login name.
    public var name: String
    /// User ID; nil if the user does not exist.
    public var user: UInt32?
    /// Group IDs, including the primary group.
    public var groups: [UInt32] = []
    /// Whether this is the calling user, because the daemon's user is not known.
    public var isCaller = false

    /// A user by name and ID.
    public init(name: String, user: UInt32?, groups: [UInt32] = [], isCaller: Bool = false) {
        self.name = name
        self.user = user
        self.groups = groups
        self.isCaller = isCaller
    }
}

/// Ownership and permission bits of a file.
public struct Permission: Hashable, Sendable {
    /// User ID of the owner.
    public var owner: UInt32
    /// Group ID of the file.
    public var group: UInt32
    /// Permission bits.
    public var mode: UInt32
    /// Name of the owner, if it has one.
    public var ownerName: String?
    /// Name of the group, if it has one.
    public var groupName: String?

    /// The values of stat(2).
    public init(owner: UInt32, group: UInt32, mode: UInt32) {
        self.owner = owner
        self.group = group
        self.mode = mode
    }

    /// Whether `account` has all permissions in `bits` (4 read, 2 write, 1 execute); root always has.
    public func allows(_ bits: UInt32, to account: AccountFacts) -> Bool {
        guard let user = account.user else { return false }
        if user == 0 { return true }
        let own = user == owner ? mode >> 6 : account.groups.contains(group) ? mode >> 3 : mode
        return own & bits == bits
    }

    /// Who has one of the permissions in `bits` besides `account` and root; nil if no one does.
    func others(than account: AccountFacts, with bits: UInt32) -> String? {
        if mode & bits != 0 { return "every user" }
        if (mode >> 3) & bits != 0, group != 0 { return "group \(groupName ?? "\(group)")" }
        if (mode >> 6) & bits != 0, owner != 0, owner != account.user { return "user \(ownerName ?? "\(owner)")" }
        return nil
    }
}

/// Sensors of an IIO context.
public struct DevicesFacts: Sendable {
    /// libiio context URI, such as `local:`.
    public var context: String
    /// Sensors ordered by identifier.
    public var sensors: [SensorFacts] = []
    /// Why the context could not be opened; nil if it was.
    public var problem: String?

    /// A context without sensors.
    public init(context: String) { self.context = context }

    /// Whether the sensors belong to this computer.
    public var isLocal: Bool { context.hasPrefix("local") }
}

/// One IIO device that contains a usable sensor.
public struct SensorFacts: Sendable {
    /// Kind of a sensor.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case accelerometer
        case gyroscope
        case magnetometer
    }

    /// Device name in the kernel, usually the chip.
    public var name: String
    /// Label from the hardware description, if any.
    public var label: String?
    /// IIO device identifier, such as `iio:device0`.
    public var identifier: String
    /// Sensor kinds of the device.
    public var kinds: [Kind]
    /// Whether the device has an IIO buffer; otherwise it is polled.
    public var isBuffered = true
    /// Flaw of the mount matrix of udev or the driver; nil if it is valid or absent.
    public var mountProblem: String?
    /// Node in /dev; nil if the device has none or it was not checked.
    public var node: Node?
    /// Permissions of the files in /sys that configure the buffer, by file name.
    public var attributes: [(name: String, permission: Permission)] = []
    /// Programs other than the daemon that have the device open, such as `iio-sensor-proxy (412)`.
    public var holders: [String] = []
    /// Whether the buffer is enabled although no daemon is running.
    public var isTaken = false

    /// Device node in /dev.
    public struct Node: Hashable, Sendable {
        /// Path, such as `/dev/iio:device0`.
        public var path: String
        /// Permissions; nil if the file does not exist.
        public var permission: Permission?

        /// A device node by its path.
        public init(path: String, permission: Permission?) {
            self.path = path
            self.permission = permission
        }
    }

    /// A buffered sensor that no program uses.
    public init(name: String, identifier: String, kinds: [Kind]) {
        self.name = name
        self.identifier = identifier
        self.kinds = kinds
    }

    /// Whether it has this name or identifier, and this label; nil for any.
    func isCalled(_ text: String?, label wanted: String?) -> Bool {
        (text == nil || text == name || text == identifier) && (wanted == nil || wanted == label)
    }
}
