import Linux

extension Configuration {
    /// Path of the default configuration file.
    package static let systemFile = "/etc/waymark/waymark.toml"

    /// Loads the settings: compiled defaults, overridden by the file, overridden by `FILE.d/*.toml` sorted by name.
    ///
    /// - Parameters:
    ///   - file: path of the file, which must exist; nil for the default file, which may be missing.
    ///   - defaults: values of the settings that no file sets.
    /// - Throws: all problems of all files.
    package static func load(
        file: String? = nil, defaults: Configuration = Configuration()
    ) throws(ConfigurationError) -> Configuration {
        var loader = ConfigurationLoader(configuration: defaults)
        loader.read(file ?? systemFile, mayBeMissing: file == nil)
        loader.readDropIns(of: file ?? systemFile)
        return try loader.finish()
    }

    /// Parses a text. Settings that it does not contain have the compiled defaults.
    ///
    /// - Parameter file: path for problem reports.
    package static func parse(_ text: [UInt8], file: String) throws(ConfigurationError) -> Configuration {
        var loader = ConfigurationLoader(configuration: Configuration())
        loader.apply(text, file: file)
        return try loader.finish()
    }
}

/// Accumulates layers of settings and collects their problems.
struct ConfigurationLoader {
    private(set) var configuration: Configuration
    private(set) var problems: [ConfigurationError.Problem] = []
    /// File and position that set the current value of each setting.
    private var origins: [String: (file: String, place: TomlDocument.Place)] = [:]

    private static let settings = Dictionary(uniqueKeysWithValues: Setting.all.map { ($0.path, $0) })

    init(configuration: Configuration) {
        self.configuration = configuration
        self.configuration.files = []
    }

    mutating func read(_ file: String, mayBeMissing: Bool) {
        do {
            let text = try BoundedFile.read(file)
            configuration.files.append(file)
            apply(text, file: file)
        } catch {
            if mayBeMissing && error.isMissing { return }
            problems.append(.init(file: file, text: error.text))
        }
    }

    mutating func readDropIns(of file: String) {
        let directory = file + ".d"
        do {
            for name in try BoundedFile.tomlFiles(in: directory) { read("\(directory)/\(name)", mayBeMissing: false) }
        } catch {
            if !error.isMissing { problems.append(.init(file: directory, text: error.text)) }
        }
    }

    mutating func apply(_ text: [UInt8], file: String) {
        do {
            for entry in try TomlDocument(text, file: file).entries { apply(entry, file: file) }
        } catch {
            problems += error.problems
        }
    }

    private mutating func apply(_ entry: TomlDocument.Entry, file: String) {
        if entry.section != nil, let setting = Self.settings[entry.path] {
            origins[entry.path] = (file, entry.valuePlace)
            if let problem = setting.store(entry.value, &configuration) {
                report("\(entry.path): \(problem)", file: file, at: entry.valuePlace)
            }
            return
        }
        if let section = entry.section {
            // Unknown keys of an unknown section are not reported individually.
            guard Setting.Section(rawValue: section) != nil else { return }
            if let problem = RetiredSetting.problem(of: entry) {
                return report(problem, file: file, at: entry.keyPlace)
            }
            guard entry.value == .table else {
                return report(Self.unknownKey(entry.path, key: entry.key), file: file, at: entry.keyPlace)
            }
            if Setting.Section(rawValue: entry.path) == nil {
                report(Self.unknownSection(entry.path), file: file, at: entry.keyPlace)
            }
            return
        }
        switch (Setting.Section(rawValue: entry.key) != nil, entry.value) {
        case (true, .table): break
        case (true, _): report("\(entry.key): is a section, not a key", file: file, at: entry.keyPlace)
        case (false, .table): report(Self.unknownSection(entry.key), file: file, at: entry.keyPlace)
        case (false, _): report(Self.unknownKey(entry.key, key: entry.key), file: file, at: entry.keyPlace)
        }
    }

    private mutating func report(_ text: String, file: String, at place: TomlDocument.Place) {
        problems.append(.init(file: file, line: place.line, column: place.column, text: text))
    }

    /// Returns the configuration if no layer had a problem and all order constraints hold.
    func finish() throws(ConfigurationError) -> Configuration {
        let all = problems + SettingOrder.all.compactMap(disorder)
        guard all.isEmpty else { throw ConfigurationError(problems: all) }
        return configuration
    }

    /// Returns the problem of a violated order constraint, located where its lesser setting is set, or else its greater
    /// one; nil if the constraint holds.
    private func disorder(_ order: SettingOrder) -> ConfigurationError.Problem? {
        guard let text = order.problem(in: configuration) else { return nil }
        let origin = origins[order.lesser.path] ?? origins[order.greater.path]
        return .init(
            file: origin?.file ?? Configuration.systemFile, line: origin?.place.line, column: origin?.place.column,
            text: text)
    }

    private static func unknownSection(_ name: String) -> String {
        let nearest = Spelling.nearest(to: name, among: Setting.Section.allCases.map(\.rawValue))
        let hint = nearest.map { "did you mean [\($0)]?" } ?? "sections are " + sections
        return "unknown section [\(Printable.line(name, limit: 60))]; \(hint)"
    }

    private static func unknownKey(_ path: String, key: String) -> String {
        // Some former keys are now sections for sensors, so the user more likely means a section than a key.
        let sensors = Setting.Section.allCases.map(\.rawValue).filter { $0.contains(".") }
        if let section = Spelling.nearest(to: path, among: sensors), Setting.Section(rawValue: path) == nil,
            !Setting.all.contains(where: { $0.key == key })
        {
            return "unknown key \(Printable.line(path, limit: 60)); did you mean the section [\(section)]?"
        }
        // A correct key in the wrong section is more likely than a misspelled key of another section.
        let elsewhere = Setting.all.first { $0.key == key }?.path
        let nearest = elsewhere ?? Spelling.nearest(to: path, among: Setting.all.map(\.path))
        let hint = nearest.map { "; did you mean \($0)?" } ?? ""
        return "unknown key \(Printable.line(path, limit: 60))\(hint)"
    }

    private static let sections = Setting.Section.allCases.map(\.rawValue).joined(separator: ", ")
}

/// Reads configuration files, which must be regular files of limited size.
enum BoundedFile {
    /// Size limit of a file in bytes.
    static let limit = 1 << 20

    /// Reason why a file or directory was not read.
    struct Failure: Error {
        var isMissing = false
        var text: String

        init(_ text: String) { self.text = text }

        init(_ what: String, _ error: FileError) {
            isMissing = error.isMissing
            text = "\(what): \(error)"
        }
    }

    /// Reads a file, which may be at most `limit` bytes long.
    static func read(_ path: String) throws(Failure) -> [UInt8] {
        var (bytes, length, isRegular): ([UInt8], Int, Bool) = ([], 0, false)
        do throws(FileError) {
            let file = try File.openForReading(path, waitsForWriter: false)
            let status = try file.status()
            (length, isRegular) = (min(Int(clamping: status.size), limit), status.isRegular)
            // Reads one byte more than permitted, to detect a file that grows while it is read.
            if isRegular { bytes = try file.read(atMost: length + 1) }
        } catch {
            throw Failure("cannot be read", error)
        }
        guard isRegular else { throw Failure("is not a regular file") }
        guard bytes.count <= limit else { throw Failure("is larger than 1 MiB") }
        guard bytes.count <= length else { throw Failure("changed while it was read; try again") }
        return bytes
    }

    /// Returns the names of the visible files in `directory` that end in `.toml`, sorted by bytes.
    static func tomlFiles(in directory: String) throws(Failure) -> [String] {
        do throws(FileError) {
            return try File.names(in: directory).filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }
                .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        } catch {
            throw Failure("cannot be listed", error)
        }
    }
}

/// Keys of earlier versions. Each causes an error that names its replacement.
enum RetiredSetting {
    /// What to write instead of each key. Earlier versions had the keys of all sensors in the section `iio`; now each
    /// sensor has its own section.
    private static let advice = [
        "iio.accelerometer": "write device (or label) in the section [iio.accelerometer]",
        "iio.gyroscope": "write device (or label) in the section [iio.gyroscope]",
        "iio.magnetometer": "write device (or label) in the section [iio.magnetometer]",
        "iio.barometer": "write device (or label) in the section [iio.pressure]",
        "iio.inertial_rate_hz": "write rate_hz in the sections [iio.accelerometer] and [iio.gyroscope]",
        "iio.magnetometer_rate_hz": "write rate_hz in the section [iio.magnetometer]",
        "iio.barometer_rate_hz": "write rate_hz in the section [iio.pressure]",
    ]

    /// Returns the problem of an entry with a retired key; nil for any other entry.
    static func problem(of entry: TomlDocument.Entry) -> String? {
        // Some of the keys are now sections.
        if entry.value == .table, Setting.Section(rawValue: entry.path) != nil { return nil }
        return advice[entry.path].map { "\(entry.path): is no longer a setting; \($0)" }
    }
}
