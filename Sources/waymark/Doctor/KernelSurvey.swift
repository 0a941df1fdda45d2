import Diagnosis
import Glibc

/// The kernel's IIO core, and chips on the board's buses that no driver serves.
struct KernelSurvey {
    let host: Host

    func facts() -> KernelFacts {
        var facts = KernelFacts(hasIIO: host.exists("/sys/bus/iio"))
        facts.orphans = orphans()
        facts.hasRules = Self.ruleFolders.contains { host.exists("\($0)/60-waymark-iio.rules") }
        return facts
    }

    /// Where udev looks (udev(7)), and where `make install` puts them.
    private static let ruleFolders = [
        "/etc/udev/rules.d", "/run/udev/rules.d", "/usr/local/lib/udev/rules.d", "/usr/lib/udev/rules.d",
        "/lib/udev/rules.d",
    ]

    /// Where sensors sit; hubs of sensors are on the platform bus.
    private static let buses = ["i2c", "spi", "platform"]
    /// More chips than a board has.
    private static let mostOrphans = 64

    private func orphans() -> [KernelFacts.Orphan] {
        let chips = Self.buses.flatMap { bus in
            host.names("/sys/bus/\(bus)/devices").compactMap { chip(bus, $0) }
        }
        guard !chips.isEmpty, let modules = ModuleTable(host) else { return [] }
        return chips.prefix(Self.mostOrphans).compactMap { chip in
            modules.sensorModule(of: chip.alias).map {
                KernelFacts.Orphan(name: "\(chip.bus) \(chip.place)", module: $0)
            }
        }
    }

    /// One without a driver; nil for all others.
    private func chip(_ bus: String, _ place: String) -> (bus: String, place: String, alias: String)? {
        let folder = "/sys/bus/\(bus)/devices/\(place)"
        guard host.link(folder + "/driver") == nil, let alias = host.text(folder + "/modalias"), !alias.isEmpty
        else { return nil }
        let name = host.text(folder + "/name").map { " (\($0.prefix(64)))" } ?? ""
        return (bus, place + name, alias)
    }
}

/// Which module serves which chip, by the tables that depmod makes for the running kernel.
struct ModuleTable {
    private let aliases: [Substring]
    private let host: Host
    private let folder: String

    /// Debian's is 2 MB.
    private static let longest = 16 << 20

    init?(_ host: Host) {
        guard let release = host.text("/proc/sys/kernel/osrelease"), !release.isEmpty, !release.contains("/"),
            let bytes = host.bytes("/lib/modules/\(release)/modules.alias", atMost: Self.longest)
        else { return nil }
        self.host = host
        folder = "/lib/modules/\(release)"
        aliases = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }

    /// The module for a chip, if it is one of the kernel's IIO sensors.
    func sensorModule(of alias: String) -> String? {
        for line in aliases {
            let words = line.split(separator: " ")
            guard words.count == 3, words[0] == "alias", fnmatch(String(words[1]), alias, 0) == 0 else { continue }
            if isSensor(String(words[2])) { return String(words[2]) }
        }
        return nil
    }

    /// Of the drivers that are of use here; light and temperature are not.
    private static let folders = ["accel", "gyro", "imu", "magnetometer"]

    private func isSensor(_ module: String) -> Bool {
        guard let bytes = host.bytes(folder + "/modules.dep", atMost: Self.longest) else { return false }
        let wanted = module.replacing("-", with: "_")
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").contains { line in
            let path = line.prefix { $0 != ":" }
            guard Self.folders.contains(where: { path.contains("/iio/\($0)/") }),
                let file = path.split(separator: "/").last
            else { return false }
            return file.prefix { $0 != "." }.replacing("-", with: "_") == wanted
        }
    }
}
