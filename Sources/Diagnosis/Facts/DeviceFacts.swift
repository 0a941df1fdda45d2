/// What of the kernel sensors need.
public struct KernelFacts: Sendable {
    /// Whether the kernel's IIO core is there.
    public var hasIIO: Bool
    /// A chip that the board's description names and that no driver serves.
    public struct Orphan: Hashable, Sendable {
        /// Such as `1-0068 (mpu6050)`.
        public var name: String
        /// What to hand to modprobe: a module or the chip's alias.
        public var module: String

        /// A chip and what would serve it.
        public init(name: String, module: String) {
            self.name = name
            self.module = module
        }
    }

    /// Chips that no driver serves.
    public var orphans: [Orphan] = []
    /// Whether the rules that give the daemon its rights are installed.
    public var hasRules = true

    /// With or without the IIO core.
    public init(hasIIO: Bool) { self.hasIIO = hasIIO }
}

/// The user that the daemon runs as.
public struct AccountFacts: Hashable, Sendable {
    /// As the system records it.
    public var name: String
    /// Absent where the system knows no such user.
    public var user: UInt32?
    /// Numbers of its groups, the primary one among them.
    public var groups: [UInt32] = []
    /// Whether it is who asks, for want of a daemon's own.
    public var isCaller = false

    /// A user by name and number.
    public init(name: String, user: UInt32?, groups: [UInt32] = [], isCaller: Bool = false) {
        self.name = name
        self.user = user
        self.groups = groups
        self.isCaller = isCaller
    }
}

/// Who may do what with a file.
public struct Permission: Hashable, Sendable {
    /// Number of the user that has it.
    public var owner: UInt32
    /// Number of the group that has it.
    public var group: UInt32
    /// Permission bits.
    public var mode: UInt32

    /// As stat(2) tells them.
    public init(owner: UInt32, group: UInt32, mode: UInt32) {
        self.owner = owner
        self.group = group
        self.mode = mode
    }

    /// Whether `account` may do all of `bits` (4 read, 2 write, 1 enter); root may.
    public func allows(_ bits: UInt32, to account: AccountFacts) -> Bool {
        guard let user = account.user else { return false }
        if user == 0 { return true }
        let own = user == owner ? mode >> 6 : account.groups.contains(group) ? mode >> 3 : mode
        return own & bits == bits
    }
}

/// The sensors there are.
public struct DevicesFacts: Sendable {
    /// libiio's name of where they are.
    public var context: String
    /// In the order of their identifiers.
    public var sensors: [SensorFacts] = []
    /// Why they could not be looked at.
    public var problem: String?

    /// No sensors seen yet.
    public init(context: String) { self.context = context }

    /// Whether they are this computer's.
    public var isLocal: Bool { context.hasPrefix("local") }
}

/// One device that measures something of use.
public struct SensorFacts: Sendable {
    /// What a device measures.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case accelerometer
        case gyroscope
        case magnetometer
    }

    /// The kernel's name of the chip.
    public var name: String
    /// That the board's description gives it, if any.
    public var label: String?
    /// Such as `iio:device0`.
    public var identifier: String
    /// All that it measures.
    public var kinds: [Kind]
    /// Whether it delivers by a buffer; else it has to be polled.
    public var isBuffered = true
    /// What is wrong with the mount matrix that udev or the driver gives.
    public var mountProblem: String?
    /// Of its node in /dev; absent where devices have none or it was not looked at.
    public var node: Node?
    /// Of the files in /sys that switch buffers, by name.
    public var attributes: [(name: String, permission: Permission)] = []
    /// Programs other than the daemon that have it open, such as `iio-sensor-proxy (412)`.
    public var holders: [String] = []
    /// Whether its buffer is on although no daemon runs.
    public var isTaken = false

    /// The file in /dev.
    public struct Node: Hashable, Sendable {
        /// Such as `/dev/iio:device0`.
        public var path: String
        /// Absent where there is no such file.
        public var permission: Permission?

        /// A file by its place.
        public init(path: String, permission: Permission?) {
            self.path = path
            self.permission = permission
        }
    }

    /// A buffered sensor that nobody has.
    public init(name: String, identifier: String, kinds: [Kind]) {
        self.name = name
        self.identifier = identifier
        self.kinds = kinds
    }

    func isCalled(_ text: String) -> Bool { text == name || text == label || text == identifier }
}
