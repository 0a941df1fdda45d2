import Foundation
import Testing

@Suite("docs/filter.md")
struct FilterDocumentTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private let document: String

    init() throws { document = try Self.page("filter") }

    private static func page(_ name: String) throws -> String {
        try String(contentsOf: root.appending(path: "docs/\(name).md"), encoding: .utf8)
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

    @Test(
        "has every equation to which it and the pages beside it refer",
        arguments: ["filter", "supervision", "constants"])
    func references(page: String) throws {
        let known = Set(equations)
        let references = try Self.page(page).matches(of: /\((\d+)\)/)
        #expect(!references.isEmpty)
        for match in references { #expect(Int(match.1).map(known.contains) == true, "\(match.0)") }
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
        for row in document.matches(of: /(?m)^- (\(\d+\)[^:]*): `([^`]+\.swift)`$/) {
            let file = Self.root.appending(path: "Sources/Core/Estimation/\(row.2)")
            let text = try String(contentsOf: file, encoding: .utf8)
            let cited = text.matches(of: /docs\/filter\.md((?:,? (?:and |to )?\(\d+\))+)/).map { numbers($0.1) }
            #expect(cited.reduce(into: []) { $0.formUnion($1) } == numbers(row.1), "\(row.2)")
            found.formUnion(numbers(row.1))
        }
        // Those of the consistency of the filter are in tests alone.
        #expect(Set(equations).subtracting(found) == [83, 84])
    }

    @Test("is joined by READMEs that name files that exist", arguments: ["Estimation", "Engine"])
    func readme(module: String) throws {
        let folder = Self.root.appending(path: "Sources/Core/\(module)")
        try expectFiles(of: try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8), in: folder)
    }

    @Test("is joined by a page of the supervision that names files that exist")
    func supervision() throws {
        try expectFiles(of: try Self.page("supervision"), in: Self.root.appending(path: "Sources/Core/Estimation"))
    }

    private func expectFiles(of text: String, in folder: URL) throws {
        let paths = text.matches(of: /`((?:\.\.\/)?[A-Za-z]+(?:\/[A-Za-z+]+)+\.swift)`/).map { String($0.1) }
        #expect(!paths.isEmpty)
        for path in paths {
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: path).path), "\(path)")
        }
    }

    @Test("names settings that exist, as the page of the supervision does", arguments: ["filter", "supervision"])
    func settings(page: String) throws {
        let known = Set(
            try Self.page("constants").matches(of: /(?m)^\| `([a-zA-Z]+\.[a-zA-Z]+)` \|/).map { String($0.1) })
        let sections = Set(known.compactMap { $0.split(separator: ".").first })
        let named = try Self.page(page).matches(of: /`([a-zA-Z]+)\.([a-zA-Z]+)`/).filter { sections.contains($0.1) }
        #expect(named.count > 20)
        for match in named { #expect(known.contains("\(match.1).\(match.2)"), "\(match.0)") }
    }
}
