/// Number formats of the findings.
enum Amount {
    /// Formats a number with at most `digits` decimals, without trailing zeros: "9.81", "200".
    static func text(_ value: Double, digits: Int = 2) -> String {
        guard value.isFinite, value.magnitude < 1e15 else { return "\(value)" }
        var power = 1.0
        for _ in 0..<digits { power *= 10 }
        let rounded = (value * power).rounded() / power
        return rounded == rounded.rounded() ? "\(Int64(rounded))" : "\(rounded)"
    }

    static func hertz(_ value: Double) -> String { text(value, digits: 1) + " Hz" }

    static func percent(_ share: Double) -> String { text(share * 100, digits: 0) + " %" }

    /// Formats an angular rate in rad/s as "1.25°/s".
    static func turnRate(_ rate: Double) -> String { text(rate * 180 / .pi) + "°/s" }

    /// Formats a size: "200 MB", "950 kB".
    static func bytes(_ count: UInt64) -> String {
        count >= 1_000_000 ? "\(count / 1_000_000) MB" : "\(count / 1000) kB"
    }

    static func days(_ seconds: Double) -> String {
        let days = Int64(min(max(seconds, 0), 1e12) / 86_400)
        return days == 1 ? "1 day" : "\(days) days"
    }

    /// Formats a list: "a, b, c, d and 3 more", or "none".
    static func list(_ names: [String], limit: Int = 4) -> String {
        guard names.count > limit else { return names.isEmpty ? "none" : names.joined(separator: ", ") }
        return names.prefix(limit).joined(separator: ", ") + " and \(names.count - limit) more"
    }
}

/// Parts of command lines that several findings share.
enum Remedy {
    static let install = "sudo apt install --reinstall waymark"
    static let orFromSources = "  # from the sources: sudo make install"
    static let enable = "sudo systemctl enable --now waymark.socket waymarkd.service"
    static let restart = "sudo systemctl restart waymarkd"
    static let restartSocket = "sudo systemctl restart waymark.socket waymarkd.service"
    static let startAgain = "sudo systemctl reset-failed waymarkd && sudo systemctl start waymarkd"
    /// Starts the triggers of systemd/waymark-hrtimer, which need a kernel module that may be missing.
    static let timer =
        "sudo modprobe iio-trig-hrtimer && sudo systemctl restart waymark-hrtimer.service  # if the kernel has that "
        + "module (CONFIG_IIO_HRTIMER_TRIGGER); else wire the chip's interrupt in the device tree"
    static let kernelLog = "sudo dmesg | tail -n 20"
    /// Beginning of a command that prints an attribute of all IIO devices. The name of the attribute's file has to
    /// follow.
    static let attributes = "cat /sys/bus/iio/devices/iio:device*/"
    static let applyUdevRules = "sudo udevadm control --reload && sudo udevadm trigger --subsystem-match=iio"

    /// Returns the command that makes the caller a member of a group.
    static func join(_ group: String) -> String {
        "sudo usermod -aG \(group.shellQuoted) \"$USER\"  # then log in again"
    }
}

/// Command lines that name the settings in use.
extension BoardFacts {
    /// The settings file as a shell word.
    var settingsFile: String { (configuration?.file ?? "/etc/waymark/waymark.toml").shellQuoted }

    /// `--config FILE` with a leading blank; empty for the system's settings.
    var configOption: String { configuration?.chosen.map { " --config \($0.shellQuoted)" } ?? "" }

    /// Command line that runs the doctor as root.
    var asRoot: String { "sudo waymark doctor" + configOption }

    /// Returns the command line that opens the settings in an editor and applies them. `hint` is a comment with the
    /// setting and its value.
    func edit(_ hint: String, by verb: String = "restart") -> String {
        "sudoedit \(settingsFile) && sudo systemctl \(verb) waymarkd  # \(hint)"
    }
}

extension String {
    /// The text, quoted as one shell word.
    var shellQuoted: String {
        let isPlain = unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                || "/._-:@%+=,".unicodeScalars.contains(scalar)
        }
        guard !isPlain || isEmpty else { return self }
        // Splits by scalars, because a Character that consists of a quote and a combining mark is not equal to a quote.
        let words = unicodeScalars.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
        return "'" + words.joined(separator: "'\\''") + "'"
    }
}
