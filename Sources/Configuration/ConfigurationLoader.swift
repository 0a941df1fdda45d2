extension Configuration {
    /// Where the daemon looks when it is not told.
    public static let systemFile = "/etc/waymark/waymark.toml"

    /// Reads the settings: compiled defaults, then the file, then `FILE.d/*.toml` sorted by name.
    ///
    /// - Parameters:
    ///   - file: in place of the system's file; it has to exist, whereas the system's may be missing.
    ///   - defaults: what holds where no file says anything.
    /// - Throws: all problems of all files at once.
    public static func load(
        file: String? = nil, defaults: Configuration = Configuration()
    ) throws(ConfigurationError) -> Configuration {
        var loader = ConfigurationLoader(configuration: defaults)
        loader.read(file ?? systemFile, mayBeMissing: file == nil)
        loader.readDropIns(of: file ?? systemFile)
        return try loader.finish()
    }

    /// Reads settings from a text over the compiled defaults.
    ///
    /// - Parameter file: the name that problems carry.
    public static func parse(_ text: [UInt8], file: String) throws(ConfigurationError) -> Configuration {
        var loader = ConfigurationLoader(configuration: Configuration())
        loader.apply(text, file: file)
        return try loader.finish()
    }
}

/// Puts layer over layer and collects what is wrong.
struct ConfigurationLoader {
    private(set) var configuration: Configuration
    private(set) var problems: [ConfigurationError.Problem] = []
    /// Where each setting got its present value.
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
            if let problem = setting.value.store(entry.value, &configuration) {
                report("\(entry.path): \(problem)", file: file, at: entry.valuePlace)
            }
            return
        }
        if let section = entry.section {
            // What lies in an unknown section needs no words of its own.
            guard Setting.Section(rawValue: section) != nil else { return }
            return report(Self.unknownKey(entry.path, key: entry.key), file: file, at: entry.keyPlace)
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

    /// The result, when no layer had a problem and the settings fit together.
    func finish() throws(ConfigurationError) -> Configuration {
        let all = problems + SettingOrder.all.compactMap(disorder)
        guard all.isEmpty else { throw ConfigurationError(problems: all) }
        return configuration
    }

    /// What is wrong with two settings that do not fit together, at the line that set the first of them, or the other.
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
        // The right key in the wrong section is likelier than a misspelling of another key.
        let elsewhere = Setting.all.first { $0.key == key }?.path
        let nearest = elsewhere ?? Spelling.nearest(to: path, among: Setting.all.map(\.path))
        let hint = nearest.map { "; did you mean \($0)?" } ?? ""
        return "unknown key \(Printable.line(path, limit: 60))\(hint)"
    }

    private static let sections = Setting.Section.allCases.map(\.rawValue).joined(separator: ", ")
}
