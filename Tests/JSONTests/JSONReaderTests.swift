import JSON
import Testing

@Suite("JSON from outside")
struct JSONReaderTests {
    private func read(_ text: String, limits: JSONLimits = JSONLimits()) throws(DocumentProblem) -> JSONNode {
        try JSONReader.read(Array(text.utf8), limits: limits)
    }

    private func problem(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) -> DocumentProblem? {
        do {
            _ = try JSONReader.read(bytes, limits: limits)
            return nil
        } catch {
            return error
        }
    }

    private func problem(_ text: String, limits: JSONLimits = JSONLimits()) -> DocumentProblem? {
        problem(Array(text.utf8), limits: limits)
    }

    @Test("every kind of value is read, and each knows its path")
    func values() throws {
        let root = try read(
            #" {"a": [1, -2.5e3, "x\n\u00e9\ud83d\ude00", true, false, null], "b c": {"d": {}}, "e": [[], [7]]} "#)
        #expect(root.kind == .object && root.count == 3 && root.path == "$")
        let a = try Array(root.member("a").array())
        #expect(try a[0].integer() == 1)
        #expect(try a[1].double() == -2500)
        #expect(try a[2].text() == "x\né😀")
        #expect(a[3].bool == true && a[4].bool == false && a[5].isNull)
        #expect(a[2].path == "$.a[2]")
        let members = Array(root.members)
        #expect(try members[1].value.member("d").path == #"$["b c"].d"#)
        #expect(try Array(Array(root.member("e").array())[1].array())[0].path == "$.e[1][0]")
    }

    @Test("a reader takes one document after another, refused ones in between, and each has offsets of its own")
    func documentAfterDocument() throws {
        let reader = JSONReader(limits: JSONLimits(depth: 4, values: 100, text: 100))
        func read(_ text: String) throws(DocumentProblem) -> JSONNode { try reader.read(Array(text.utf8)[...]) }
        #expect(try read(#"{"a": [1, "long text"]}"#).member("a").count == 2)
        for refused in ["", "{\"a\": ", "[1] 2", "[[[[[1]]]]]", "[\"\\udc00\"]"] {
            #expect(throws: DocumentProblem.self) { try read(refused) }
        }
        let problem = #expect(throws: DocumentProblem.self) { try read("[1, x]") }
        #expect(problem?.message.hasSuffix("at byte 4") == true)
        let last = try read(#"{"b": "é"}"#)
        #expect(last["a"] == nil)
        #expect(try last.member("b").text() == "é")
    }

    @Test(
        "a path is one line of visible characters, whatever a document calls its members",
        arguments: [
            (#"{"a\u001b[2Jb": 1}"#, #"$["a\u001b[2Jb"]"#), (#"{"a\nb\r\n": 1}"#, #"$["a\u000ab\u000d\u000a"]"#),
            (#"{"a\"b\\": 1}"#, #"$["a\"b\\"]"#), (#"{"a\u0000\u007f\u009b": 1}"#, #"$["a\u0000\u007f\u009b"]"#),
            // Turns the direction of text around; a separator of lines; a format character beyond 16 bits.
            (#"{"a\u202eb\u2028": 1}"#, #"$["a\u202eb\u2028"]"#), (#"{"\udb40\udc01": 1}"#, #"$["\udb40\udc01"]"#),
            // Five hundred accents on one letter.
            (
                "{\"e" + String(repeating: "\u{301}", count: 500) + "\": 1}",
                #"$["e"# + String(repeating: "\u{301}", count: 79) + #""]"#
            ),
            (#"{"": 1}"#, #"$[""]"#), (#"{"café_1": 1}"#, "$.café_1"),
        ])
    func hostilePath(text: String, expected: String) throws {
        let member = try #require(Array(read(text).members).first)
        // Equal strings may still have other scalars.
        #expect(Array(member.value.path.unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test(
        "what is needed and what stands there instead is named",
        arguments: [
            (#"{"a": 1}"#, "$: the member \"b\" is missing"),
            (#"{"b": [1]}"#, "$.b: a string is needed, not an array"),
            (#"{"b": null}"#, "$: the member \"b\" is missing"),
            (#"[1]"#, "$: an object is needed, not an array"),
        ])
    func wrongKinds(text: String, expected: String) throws {
        let root = try read(text)
        #expect {
            _ = try root.member("b").text()
        } throws: {
            "\($0)" == expected
        }
    }

    @Test(
        "what is no JSON is refused with its place",
        arguments: [
            ("", "$: the end where a value is expected, at byte 0"),
            ("  ", "$: the end where a value is expected, at byte 2"),
            ("{\"a\": [1, 2", "$.a[1]: a comma or ] is missing, at byte 11"),
            ("{\"a\" 1}", "$.a: a colon is missing after a name, at byte 5"),
            ("{\"a\": NaN}", "$.a: no value of JSON, at byte 6"),
            ("[Infinity]", "$: no value of JSON, at byte 1"),
            ("[1e999]", "$: a number out of range, at byte 1"),
            ("[1,]", "$[0]: no value of JSON, at byte 3"),
            ("[01]", "$[0]: a comma or ] is missing, at byte 2"),
            ("{} {}", "$: more after the end of the document, at byte 3"),
            ("[\"\\ud800\"]", "$: half of a surrogate pair, at byte 2"),
            ("[\"\\udc00\"]", "$[0]: half of a surrogate pair, at byte 0"),
            ("[\"\t\"]", "$: an unknown escape or a control character in a string, at byte 2"),
            ("// no\n[]", "$: no value of JSON, at byte 0"),
        ])
    func syntax(text: String, expected: String) {
        #expect(problem(text)?.description == expected)
    }

    @Test(
        "bytes that are no UTF-8 are refused",
        arguments: [
            [0xFF], [0xC0, 0x80], [0xE2, 0x28, 0xA1], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80], [0xC3],
        ] as [[UInt8]])
    func encoding(bytes: [UInt8]) {
        let message = problem(Array("[\"".utf8) + bytes + Array("\"]".utf8))?.message
        #expect(message?.hasPrefix("bytes that are no UTF-8") == true)
    }

    @Test("numbers come with the bits that Swift gives them, and what is too small for one is zero")
    func numbers() throws {
        for text in ["0.1", "-105.1471665", "123456789012345678901234567890", "1.7976931348623157e308", "5e-324", "-0"]
        {
            #expect(try read("[\(text)]").first().double().bitPattern == Double(text)!.bitPattern)
        }
        #expect(try read("[1e-400]").first().double() == 0)
        #expect(try read("[0.\(String(repeating: "0", count: 500))1]").first().double() == 0)
    }

    @Test("depth, values and text are bounded")
    func limits() {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(problem(deep)?.message == "nested deeper than is taken, at byte 0")
        #expect(problem(String(repeating: "[", count: 64) + String(repeating: "]", count: 64)) == nil)
        #expect(problem(String(repeating: "{\"a\":", count: 100_000))?.message.hasPrefix("nested deeper") == true)
        let narrow = JSONLimits(values: 4, text: 5)
        #expect(problem("[1, 2, 3]", limits: narrow) == nil)
        #expect(problem("[1, 2, 3, 4]", limits: narrow)?.description == "$[2]: more values than are taken, at byte 0")
        #expect(problem("[\"abcde\"]", limits: narrow) == nil)
        #expect(problem("[\"abc\", \"def\"]", limits: narrow)?.message == "more text than is taken, at byte 0")
    }

    @Test("a source that comes in pieces of any size reads the same")
    func pieces() throws {
        let text = Array(
            #"{"name": "größe 😀", "list": [1.25, -3e2, {"x": [true, null]}], "end": "\u00e9"} [2] "three""#.utf8)
        for size in 1...text.count {
            var place = 0
            let reader = JSONReader { room in
                let count = min(size, room.count, text.count - place)
                room.copyBytes(from: text[place..<(place + count)])
                place += count
                return count
            }
            let first = try reader.next()
            #expect(try first.member("name").text() == "größe 😀")
            #expect(try Array(first.member("list").array())[1].double() == -300)
            #expect(try first.member("end").text() == "é")
            #expect(try reader.next().first().double() == 2)
            #expect(try reader.next().text() == "three")
        }
    }

    @Test("a string without an end does not fill the memory")
    func endlessString() {
        var given = 0
        let reader = JSONReader(limits: JSONLimits(values: 10, text: 100_000)) { room in
            for index in room.indices { room[index] = given == 0 && index == 0 ? 0x22 : 0x61 }
            given += room.count
            return room.count
        }
        #expect {
            _ = try reader.next()
        } throws: {
            "\($0)".contains("a string or a number longer than is taken")
        }
        #expect(given < 500_000)
    }

    @Test("a source that fails is named, and nothing of it is taken for its end")
    func failingSource() {
        struct Broken: Error, CustomStringConvertible { let description = "input/output error" }
        var calls = 0
        let reader = JSONReader { room in
            calls += 1
            guard calls == 1 else { throw Broken() }
            room[0] = UInt8(ascii: "1")
            return 1
        }
        #expect {
            _ = try reader.next()
        } throws: {
            "\($0)" == "the document could not be read to its end: input/output error"
        }
    }
}
