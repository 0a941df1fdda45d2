import Estimation
import Foundation
import Publication
import Testing

@Suite("docs/filter.md")
struct FilterDocumentTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let file = root.appending(path: "docs/filter.md")
    private let document: String

    init() throws {
        document = try String(contentsOf: Self.file, encoding: .utf8)
    }

    /// Path and value of a row like ``| `gnss.positionGate` | 5 | 1 | what and whence |``.
    private static var row: Regex<(Substring, Substring, Substring)> {
        /\| `([a-zA-Z]+\.[a-zA-Z]+)` \| ([^ |]+) \| [^|]+ \| [^|]+ \|/
    }

    private var documented: [String: String] {
        let rows = document.split(separator: "\n").compactMap { $0.wholeMatch(of: Self.row) }
        return Dictionary(rows.map { (String($0.1), String($0.2)) }) { _, last in last }
    }

    /// Every constant of the settings, by path.
    private var defaults: [String: Any] {
        var found: [String: Any] = [:]
        let settings: [Any] = [EstimatorSettings(), PublicationSettings()]
        for section in settings.flatMap({ Mirror(reflecting: $0).children }) {
            for constant in Mirror(reflecting: section.value).children {
                found["\(section.label ?? "?").\(constant.label ?? "?")"] = constant.value
            }
        }
        return found
    }

    /// Whether a cell of the table says what the value is: a number, or two with `…` between them.
    private func says(_ cell: String, _ value: Any) -> Bool {
        switch value {
        case let number as Double: Double(cell) == number
        case let number as Int: Int(cell) == number
        case let range as ClosedRange<Double>:
            cell.split(separator: "…").map { Double($0) } == [range.lowerBound, range.upperBound]
        default: false
        }
    }

    /// With WAYMARK_RECORD=1 the table is brought up to date, and the run fails so that it is not taken for a check.
    @Test("lists every constant with its value, unit and origin")
    func constants() throws {
        let documented = documented
        let defaults = defaults
        #expect(defaults.count > 100)
        if ProcessInfo.processInfo.environment["WAYMARK_RECORD"] == "1", upToDate != document {
            try Data(upToDate.utf8).write(to: Self.file, options: .atomic)
            Issue.record("docs/filter.md was written anew: fill in what is new, then run again without recording")
        }
        for (path, value) in defaults.sorted(by: { $0.key < $1.key }) {
            #expect(says(documented[path] ?? "", value), "\(path) is \(value)")
        }
        #expect(Set(documented.keys).subtracting(defaults.keys).sorted() == [])
        #expect(!document.contains("| ? |"), "a unit or an origin is still to be filled in")
    }

    @Test("has settings whose comments say what raising them does")
    func effects() throws {
        let folder = Self.root.appending(path: "Sources")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var count = 0
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
                .split(omittingEmptySubsequences: false) { Self.extensions.contains($0) }.dropFirst()
            for part in parts { count += effects(part.prefix { $0 != "}" }, file.lastPathComponent) }
        }
        #expect(count == defaults.count)
    }

    private static let extensions = ["extension EstimatorSettings {", "extension PublicationSettings {"]

    /// Number of the settings among the lines of an extension, each with a comment that says what raising it does.
    private func effects(_ lines: ArraySlice<String>, _ file: String) -> Int {
        var comment = ""
        var count = 0
        for line in lines {
            if line.hasPrefix("        ///") { comment += line.dropFirst(11); continue }
            if line.hasPrefix("        public var ") {
                count += 1
                #expect(comment.contains("Raise it"), "\(line) in \(file)")
            }
            comment = ""
        }
        return count
    }

    /// The document with the values as they are, without constants that are no more, and with a row for each new one.
    private var upToDate: String {
        let defaults = defaults
        var lines: [Substring] = []
        for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            guard let path = line.prefixMatch(of: Self.row)?.1 else { lines.append(line); continue }
            guard let value = defaults[String(path)] else { continue }
            let isSame = says(cells[2].filter { $0 != " " }, value)
            lines.append(isSame ? line : "|\(cells[1])| \(text(value)) |" + cells[3...].joined(separator: "|"))
        }
        for path in Set(defaults.keys).subtracting(documented.keys).sorted(by: >) {
            let section = path.prefix { $0 != "." }
            let last = lines.lastIndex { $0.hasPrefix("| `\(section).") } ?? lines.lastIndex { $0.hasPrefix("| `") }
            lines.insert("| `\(path)` | \(text(defaults[path] ?? "")) | ? | ? |", at: (last ?? lines.count - 1) + 1)
        }
        return lines.joined(separator: "\n")
    }

    private func text(_ value: Any) -> String {
        guard let range = value as? ClosedRange<Double> else { return "\(value)" }
        return "\(range.lowerBound)…\(range.upperBound)"
    }

    /// Numbers at the end of a line of an equation, in the order of the document.
    private var equations: [Int] {
        document.matches(of: /(?m)^    .*  \((\d+)\)$/).compactMap { Int($0.1) }
    }

    @Test("numbers its equations one after the other")
    func numbers() {
        #expect(equations.count > 20)
        #expect(equations == Array(1...max(1, equations.count)))
    }

    @Test("refers to no equation that it does not have")
    func references() {
        let known = Set(equations)
        let references = document.matches(of: /\((\d+)\)/)
        #expect(references.count > known.count)
        for match in references { #expect(Int(match.1).map(known.contains) == true) }
    }

    @Test("has every equation that a comment cites")
    func citations() throws {
        let known = Set(equations)
        let folder = Self.root.appending(path: "Sources")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var cited: Set<Int> = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            guard text.contains("docs/filter.md") else { continue }
            for match in text.matches(of: /docs\/filter\.md((?:,? (?:and |to )?\(\d+\))+)/) {
                let numbers = match.1.matches(of: /\d+/).compactMap { Int($0.0) }
                for number in numbers { #expect(known.contains(number), "(\(number)) in \(file.lastPathComponent)") }
                cited.formUnion(numbers)
            }
        }
        #expect(!cited.isEmpty)
    }

    /// Numbers such as those of `(3) to (5), (9)`, which are 3, 4, 5 and 9.
    private func numbers(_ text: Substring) -> Set<Int> {
        var found: Set<Int> = []
        for match in text.matches(of: /\((\d+)\)(?: to \((\d+)\))?/) {
            guard let first = Int(match.1) else { continue }
            found.formUnion(first...(match.2.flatMap { Int($0) } ?? first))
        }
        return found
    }

    @Test("names the file that each equation is in")
    func files() throws {
        var found: Set<Int> = []
        for row in document.matches(of: /(?m)^\| (\(\d+\)[^|]*) \| [^|]+ \| `([^`|]+\.swift)` \|$/) {
            let file = Self.root.appending(path: "Sources/Estimation/\(row.2)")
            let text = try String(contentsOf: file, encoding: .utf8)
            let cited = text.matches(of: /docs\/filter\.md((?:,? (?:and |to )?\(\d+\))+)/).map { numbers($0.1) }
            #expect(cited.reduce(into: []) { $0.formUnion($1) } == numbers(row.1), "\(row.2)")
            found.formUnion(numbers(row.1))
        }
        // Those of the consistency of the filter are in tests alone.
        #expect(Set(equations).subtracting(found) == [83, 84])
    }

    @Test("is joined by READMEs that name files that exist", arguments: ["Estimation", "Publication"])
    func readme(module: String) throws {
        let folder = Self.root.appending(path: "Sources/\(module)")
        let text = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
        let paths = text.matches(of: /`([A-Za-z]+\/[A-Za-z+]+\.swift)`/).map { String($0.1) }
        #expect(paths.count > 5)
        for path in paths {
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: path).path), "\(path)")
        }
    }
}
