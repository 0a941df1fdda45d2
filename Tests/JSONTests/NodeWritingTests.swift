import JSON
import Testing

@Suite("Values that were read, written again") struct NodeWritingTests {
    @Test(
        "members are in the order of their names, and everything else is as it was",
        arguments: [
            (#"{"b":[1,null,true,"x\"é"],"a":{"z":{},"B":[]}}"#, #"{"a":{"B":[],"z":{}},"b":[1,null,true,"x\"é"]}"#),
            ("[]", "[]"), (#""\u0001/""#, #""\u0001/""#), ("false", "false"),
        ])
    func order(text: String, written: String) throws { #expect(try Self.again(text) == written) }

    @Test(
        "numbers have the fewest digits, and no point or exponent without need",
        arguments: [
            ("100000.0", "100000"), ("1e5", "100000"), ("0.0001", "0.0001"), ("1e-5", "1e-05"), ("-0.50", "-0.5"),
            ("9007199254740992", "9007199254740992"), ("47.377133572", "47.377133572"), ("1e300", "1e+300"),
        ])
    func numbers(text: String, written: String) throws { #expect(try Self.again(text) == written) }

    private static func again(_ text: String) throws -> String {
        var json = JSONWriter()
        try JSONReader.read(Array(text.utf8)).write(into: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
