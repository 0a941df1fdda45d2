import Configuration
import Testing

private let quiet = Flag("quiet", short: "q", help: "Say less")
private let count = Option.integer("count", short: "n", value: "COUNT", in: 1...100, help: "End after COUNT lines")
private let rate = Option.number("rate", value: "HZ", in: 1...1000, help: "Lines a second")
private let form = Option.choice("format", of: ["json", "text"], help: "How it is written")
private let name = Option.text("name", value: "NAME", help: "Whose lines")

private let lines = Syntax(
    name: "lines", summary: "Shows lines of a file.", operands: [Operand("FILE"), Operand("MORE", optional: true)],
    options: [quiet, count, rate, form], common: [name], notes: "Ends with 0.", version: "1.2")

private let after = Option.duration("after", in: 0.1...3600, help: "Wait first")
private let timed = Syntax(name: "timed", summary: "Waits.", options: [after])

@Suite("Command lines")
struct SyntaxTests {

    @Test("options are read in every form, before and after operands")
    func forms() throws {
        let parsed = try lines.parse(["-q", "-n", "3", "a", "--rate=2.5", "b", "--format", "json"])
        #expect(parsed[quiet])
        #expect(parsed[count] == 3)
        #expect(parsed[rate] == 2.5)
        #expect(parsed[form] == "json")
        #expect(parsed[name] == nil)
        #expect(parsed.operands == ["a", "b"])
        #expect(parsed.answer == nil)
    }

    @Test("the last of two same options holds")
    func repeated() throws {
        #expect(try lines.parse(["-n", "3", "-n4", "a"])[count] == 4)
    }

    @Test(
        "a time is a number of seconds, or one with a unit",
        arguments: [
            ("90", 90.0), ("90s", 90), ("1.5min", 90), ("2m", 120), ("1h", 3600), ("500ms", 0.5), ("1e2", 100),
            ("1e2s", 100),
        ])
    func times(text: String, seconds: Double) throws {
        #expect(try timed.parse(["--after", text])[after] == seconds)
    }

    @Test(
        "a time of another unit, without a number, or out of range is refused with examples",
        arguments: ["", "s", "5days", "-1s", "0x10", "nan", "inf", "2h", "1 s", "1min30", "1µs", "1S"])
    func badTimes(text: String) {
        #expect(
            throws: UsageError(
                message: "--after: '\(text)' is not a time from 0.1 to 3600 seconds, such as 90, 90s, 5min or 1h",
                program: "timed")
        ) { try timed.parse(["--after", text]) }
    }

    @Test(
        "an unknown option is answered with the nearest one, if one is near",
        arguments: [
            ("--quite", "; did you mean '--quiet'?"), ("--cuont", "; did you mean '--count'?"), ("--elephant", ""),
        ])
    func nearest(option: String, hint: String) {
        #expect(throws: UsageError(message: "unknown option '\(option)'\(hint)", program: "lines")) {
            try lines.parse([option, "a"])
        }
    }

    @Test("what stands behind -- is an operand")
    func dashes() throws {
        #expect(try lines.parse(["--", "-q", "--help"]).operands == ["-q", "--help"])
        #expect(try lines.parse(["-"]).operands == ["-"])
    }

    @Test("text beyond ASCII comes through unharmed")
    func unicode() throws {
        let parsed = try lines.parse(["--name", "Zoë 🧭", "Straße.mcap"])
        #expect(parsed[name] == "Zoë 🧭")
        #expect(parsed.operands == ["Straße.mcap"])
    }

    @Test(
        "a bad command line is refused with its reason",
        arguments: [
            (["--loud", "a"], "unknown option '--loud'"),
            (["-x", "a"], "unknown option '-x'"),
            (["a", "--count"], "option '--count' needs a value"),
            (["a", "-n"], "option '-n' needs a value"),
            (["--quiet=yes", "a"], "option '--quiet' takes no value"),
            (["-n", "three", "a"], "--count: 'three' is not a whole number from 1 to 100"),
            (["-n", "0", "a"], "--count: '0' is not a whole number from 1 to 100"),
            (["-n", "-5", "a"], "--count: '-5' is not a whole number from 1 to 100"),
            (
                ["-n", "99999999999999999999", "a"],
                "--count: '99999999999999999999' is not a whole number from 1 to 100"
            ),
            (["--rate", "1001", "a"], "--rate: '1001' is not a number from 1 to 1000"),
            (["--rate", "nan", "a"], "--rate: 'nan' is not a number from 1 to 1000"),
            (["--rate", "inf", "a"], "--rate: 'inf' is not a number from 1 to 1000"),
            (["--rate", "0x10", "a"], "--rate: '0x10' is not a number from 1 to 1000"),
            (["--rate", "", "a"], "--rate: '' is not a number from 1 to 1000"),
            (["--format", "xml", "a"], "--format: 'xml' is not one of: json, text"),
            (["--name", "", "a"], "--name: '' is not valid: it is empty"),
            ([], "missing FILE"),
            (["a", "b", "c"], "'c' is an unexpected argument"),
        ])
    func refused(arguments: [String], reason: String) {
        #expect {
            _ = try lines.parse(arguments)
        } throws: { error in
            error as? UsageError == UsageError(message: reason, program: "lines")
        }
    }

    @Test("a usage error says where help is")
    func hint() {
        let error = UsageError(message: "missing FILE", program: "lines")
        #expect("\(error)" == "lines: missing FILE\nTry 'lines --help'.")
    }

    @Test("help and version are answered even when operands are missing or values are wrong")
    func answers() throws {
        #expect(try lines.parse(["--version"]).answer == "lines 1.2\n")
        #expect(try lines.parse(["-n", "none", "-h"]).answer == lines.helpText)
        #expect(try lines.parse(["--version", "--help"]).answer == lines.helpText)
    }

    @Test("the options behind a command's word are left to the command")
    func subcommand() throws {
        let program = Syntax(
            name: "tool", summary: "Does things.", operands: [Operand("COMMAND")], common: [quiet],
            stopsAtOperand: true)
        let parsed = try program.parse(["-q", "watch", "--json", "-n", "3", "--", "-h"])
        #expect(parsed[quiet])
        #expect(parsed.operands == ["watch", "--json", "-n", "3", "--", "-h"])
        #expect(parsed.answer == nil)
    }

    @Test("the help text is complete and laid out")
    func help() {
        #expect(
            lines.helpText == """
                Usage: lines [OPTION...] FILE [MORE]
                Shows lines of a file.

                Options:
                  -q, --quiet                Say less
                  -n, --count=COUNT          End after COUNT lines
                      --rate=HZ              Lines a second
                      --format=json|text     How it is written

                Common options:
                      --name=NAME            Whose lines
                      --version              Show the version and exit
                  -h, --help                 Show this help and exit

                Ends with 0.

                """)
    }
}
