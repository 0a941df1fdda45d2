import Glibc

/// Survey of the kernel: its IIO core, and chips without a driver on the board's buses.
struct KernelSurvey {
    let host: Host

    func facts() -> KernelFacts {
        var facts = KernelFacts(hasIIO: host.exists("/sys/bus/iio"))
        facts.unboundChips = unboundChips()
        facts.hasRules = Self.ruleFolders.contains { host.exists("\($0)/60-waymark-iio.rules") }
        return facts
    }

    /// Folders that udev reads (udev(7)), including the one that `make install` uses.
    private static let ruleFolders = [
        "/etc/udev/rules.d", "/run/udev/rules.d", "/usr/local/lib/udev/rules.d", "/usr/lib/udev/rules.d",
        "/lib/udev/rules.d",
    ]

    /// Buses of sensors; sensor hubs are on the platform bus.
    private static let buses = ["i2c", "spi", "platform"]
    /// Maximum number of chips, more than a board has.
    private static let maximumChips = 64

    private func unboundChips() -> [(name: String, module: String)] {
        let chips = Self.buses.flatMap { bus in
            host.names("/sys/bus/\(bus)/devices").compactMap { chip(bus, $0) }
        }
        guard !chips.isEmpty, let modules = ModuleTable(host) else { return [] }
        return chips.prefix(Self.maximumChips).compactMap { chip in
            modules.sensorModule(of: chip.alias).map { (name: "\(chip.bus) \(chip.place)", module: $0) }
        }
    }

    /// Returns a chip without a driver; nil for anything else.
    private func chip(_ bus: String, _ place: String) -> (bus: String, place: String, alias: String)? {
        let folder = "/sys/bus/\(bus)/devices/\(place)"
        guard host.link(folder + "/driver") == nil, let alias = host.text(folder + "/modalias"), !alias.isEmpty
        else { return nil }
        let name = host.text(folder + "/name").map { " (\($0.prefix(64)))" } ?? ""
        return (bus, place + name, alias)
    }
}

/// Looks up the kernel modules of chips in the tables that depmod makes for the running kernel.
struct ModuleTable {
    /// Patterns of sensor chips with their modules, in the order of the table.
    private let sensors: [(pattern: String, module: String)]

    /// Maximum size of a table; Debian's are 2 MB. Unit: bytes.
    private static let maximumSize = 16 << 20
    /// Folders of the drivers of sensors that Waymark uses; it uses no light and temperature sensors.
    private static let folders = ["accel", "gyro", "imu", "magnetometer"]

    init?(_ host: Host) {
        guard let release = host.text("/proc/sys/kernel/osrelease"), !release.isEmpty, !release.contains("/"),
            let aliases = host.bytes("/lib/modules/\(release)/modules.alias", atMost: Self.maximumSize),
            let files = host.bytes("/lib/modules/\(release)/modules.dep", atMost: Self.maximumSize)
        else { return nil }
        let modules = Self.sensorModules(files)
        sensors = String(decoding: aliases, as: UTF8.self).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 3, words[0] == "alias", modules.contains(Self.plain(words[2])) else { return nil }
            return (String(words[1]), String(words[2]))
        }
    }

    /// Returns the module for a chip; nil if the chip is not an IIO sensor that Waymark uses.
    func sensorModule(of alias: String) -> String? {
        sensors.first { fnmatch($0.pattern, alias, 0) == 0 }?.module
    }

    /// Returns the names of the modules in `folders`, from the paths before the colons of modules.dep.
    private static func sensorModules(_ files: [UInt8]) -> Set<String> {
        var modules: Set<String> = []
        for line in String(decoding: files, as: UTF8.self).split(separator: "\n") {
            let path = line.prefix { $0 != ":" }
            guard folders.contains(where: { path.contains("/iio/\($0)/") }), let file = path.split(separator: "/").last
            else { continue }
            modules.insert(plain(file.prefix { $0 != "." }))
        }
        return modules
    }

    /// Returns a module's name with underscores, as in aliases. File names may have dashes instead.
    private static func plain(_ name: Substring) -> String { String(name).replacing("-", with: "_") }
}
