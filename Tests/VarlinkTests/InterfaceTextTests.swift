import Foundation
import Testing
import TestTools

@Suite struct InterfaceTextTests {
    @Test("methods with their parameters and errors are found, nested types and comments left out")
    func names() throws {
        let description = try InterfaceText(
            text: """
                # method Commented(out: int) -> ()
                interface org.example.names
                type Inner (method: string, list: []string)
                method None() -> ()
                method Some(a: ?int, b: (c: int, d: (one, two)), # e: int
                  f: [string]Inner) -> (g: int)
                error Wrong (why: string)
                error Empty ()
                """)
        #expect(description.name == "org.example.names")
        #expect(description.methods == ["None": [], "Some": ["a", "b", "f"]])
        #expect(description.errors == ["Wrong", "Empty"])
    }

    @Test("the project's own interfaces parse", arguments: ["Pose", "Scene", "Status", "Recording", "Calibration"])
    func own(_ name: String) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Wire/WaymarkInterface/org.waymark.\(name).varlink")
        let description = try InterfaceText(text: String(contentsOf: file, encoding: .utf8))
        #expect(description.name == "org.waymark.\(name)")
        #expect(!description.methods.isEmpty)
    }

    @Test(
        "what is no description is refused with its line",
        arguments: [
            ("", 1), ("interface", 1), ("interface a.b\nfunction X()", 2), ("interface a.b\n\nmethod X(a: int)", 3),
            ("interface a.b\nmethod X(a: int -> ()", 2), ("interface a.b\nerror", 2),
        ])
    func broken(_ text: String, line: Int) {
        let error = #expect(throws: InterfaceText.SyntaxError.self) { try InterfaceText(text: text) }
        #expect(error?.line == line)
    }
}
