import Commands
import Testing
import WaymarkClient
import WaymarkInterface

@Suite("Calibration view")
struct CalibrationViewTests {
    private func text(
        _ subject: Waymark.CalibrationKind, _ step: String, canvas: Canvas = Canvas(), hint: String = ""
    ) throws -> [String] {
        var view = CalibrationView(subject, canvas: canvas)
        view.hint = hint
        view.show(try Samples.decode(step))
        return view.lines().map(\.text)
    }

    @Test("the magnetometer's directions are a map with where it points and where to go")
    func magnetometer() throws {
        let step = """
            {"instruction":"turnThroughDirections","fraction":0.42,"seconds":31.2,"predictedHeadingError":1.26,
            "predictedTiltError":0.04,"coverage":0.05,"regions":[0,1,42,90,99],"poses":[],
            "direction":[0,1,0.01],"missing":[-1,0.1,0]}
            """
        #expect(
            try text(.mag, step, hint: "Ctrl-C cancels") == [
                "Magnetometer  31 s",
                "  ┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓",
                "  ┃ Point its left side to where its top side points ┃",
                "  ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛",
                "  ████████████████░░░░░░░░░░░░░░░░░░░░░░░░   42 %",
                "",
                "  accuracy  heading ±1.3°, tilt ±0.040°",
                "  seen      5 of 100 directions",
                "         back right  front   left",
                "  top    ◆◆ ·· ·· ·· ·· ·· ·· ·· ·· ██ ",
                "         ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ",
                "         ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ",
                "         ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ",
                "         ·· ·· ·· ·· ·· ·· ·· ○○ ·· ·· ",
                "         ·· ·· ██ ·· ·· ·· ·· ·· ·· ·· ",
                "         ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ",
                "         ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ",
                "         ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ",
                "  bottom ██ ██ ·· ·· ·· ·· ·· ·· ·· ·· ",
                "         ██ seen  ·· missing  ◆◆ now  ○○ next  ",
                "",
                "  Ctrl-C cancels",
            ])
    }

    @Test("in a terminal that is narrower than what to do, that takes several lines")
    func wrapped() throws {
        let step =
            #"{"instruction":"turnThroughDirections","fraction":0,"seconds":1,"poses":[],"direction":[0,1,0],"missing":[-1,0,0]}"#
        let lines = try text(.mag, step, canvas: Canvas(unicode: true, colour: false, columns: 24))
        #expect(Array(lines[1...3]) == ["  Point its left side to", "  where its top side", "  points"])
    }

    @Test("without the letters, in a narrow terminal, it is the same in few characters")
    func narrow() throws {
        let step = """
            {"instruction":"turnSlower","fraction":1.7,"seconds":1,"coverage":0.01,"regions":[55],"poses":[],
            "direction":[0,-1,0],"predictedHeadingError":0.5}
            """
        let lines = try text(.mag, step, canvas: Canvas(unicode: false, colour: false, columns: 34))
        #expect(lines.allSatisfy { $0.count <= 34 && $0.utf8.allSatisfy { $0 < 128 } })
        #expect(lines.contains("  +=======================+"))
        #expect(lines.contains("  | Rotate it more slowly |"))
        #expect(lines.contains("  ######################  100 %"))
        #expect(lines.contains("  accuracy  heading +-0.50 deg"))
        #expect(lines.contains("         .....#...."))
        #expect(lines.contains("  bottom @........."))
    }

    @Test("the accelerometer's sides that have been up are ticked, and the next one is named")
    func accelerometer() throws {
        let step = """
            {"instruction":"turnToNextPose","fraction":0.5,"seconds":20,"poses":[[0,1,0],[0.1,0.99,0],[-1,0,0]],
            "missing":[0.7,0,-0.7]}
            """
        let lines = try text(.accel, step)
        #expect(lines.contains("  ┃ Hold it with its front right edge up ┃"))
        #expect(lines.contains("  poses     3 taken, up so far:"))
        #expect(lines.contains("            ■ top  □ bottom  ■ left  □ right  □ front  □ back  "))
        #expect(!lines.contains { $0.contains("directions") })
    }

    @Test(
        "each instruction is a sentence, and a later one stands as it came",
        arguments: [
            ("holdStill", Waymark.CalibrationKind.gyro, "Leave the board at rest where it is"),
            ("holdStill", .noise, "Leave the board at rest where it is"),
            ("holdStill", .accel, "Hold the board still"),
            ("holdStill", .mount, "Stand still and look straight ahead"),
            ("movesTooMuch", .gyro, "The board moves: put it down and do not touch it"),
            ("movesTooMuch", .noise, "The board moves: put it down and do not touch it"),
            ("movesTooMuch", .accel, "The board moves: hold it still, or lean it against something"),
            ("movesTooMuch", .mount, "You move: stand still and look straight ahead"),
            ("keepPose", .accel, "Hold still: measuring this orientation"),
            ("turnToNextPose", .accel, "Hold it in another orientation"),
            ("turnThroughDirections", .mag, "Rotate it slowly through all directions"),
            ("leaveDisturbance", .mag, "Magnetic disturbance: move away from iron and magnets"),
            ("walkStraight", .mount, "Walk 10 m straight ahead, looking ahead"),
            ("dance\\u001b", .mount, "dance "),
        ])
    func instructions(word: String, subject: Waymark.CalibrationKind, sentence: String) throws {
        let step: Waymark.CalibrationProgress = try Samples.decode(
            #"{"instruction":"\#(word)","fraction":0,"seconds":0,"poses":[]}"#)
        #expect(CalibrationWords.instruction(subject, step) == sentence)
    }

    @Test("what is done needs no hint on how to end it")
    func done() throws {
        for (instruction, isHinted) in [("holdStill", true), ("done", false)] {
            let lines = try text(
                .gyro, #"{"instruction":"\#(instruction)","fraction":1,"seconds":9,"poses":[]}"#, hint: "Ctrl-C cancels"
            )
            #expect(lines.contains("  Ctrl-C cancels") == isHinted)
        }
    }

    @Test("what is said to a wearer never speaks of a board on a table, and of a hand only where one holds it")
    func words() throws {
        for instruction in CalibrationInterface.Instruction.allCases {
            let step: Waymark.CalibrationProgress = try Samples.decode(
                #"{"instruction":"\#(instruction)","fraction":0,"seconds":0,"poses":[]}"#)
            let worn = CalibrationWords.instruction(.mount, step)
            #expect(!worn.contains("put it down") && !worn.contains("touch") && !worn.contains("board at rest"))
            for subject in [Waymark.CalibrationKind.gyro, .accel, .mag, .mount, .noise] {
                // With a frame, on one line of a terminal of 80 columns.
                #expect(CalibrationWords.instruction(subject, step).count <= 71)
            }
        }
    }

    @Test("in 24 lines all is there with the map, and in fewer the keys are")
    func rows() throws {
        let step = """
            {"instruction":"turnThroughDirections","fraction":0.42,"seconds":31.2,"predictedHeadingError":1.26,
            "predictedTiltError":0.04,"coverage":0.05,"regions":[0,1,42,90,99],"poses":[],
            "direction":[0,1,0.01],"missing":[-1,0.1,0]}
            """
        var view = CalibrationView(.mag, canvas: Canvas())
        view.hint = "Ctrl-C cancels"
        view.show(try Samples.decode(step))
        let whole = view.lines().map(\.text)
        #expect(whole.count <= 23 && view.lines(rows: 23).map(\.text) == whole)
        for rows in 3...22 {
            let lines = view.lines(rows: rows).map(\.text)
            #expect(lines.count == min(rows, whole.count))
            #expect(lines.first == "Magnetometer  31 s" && lines.last == "  Ctrl-C cancels")
        }
    }

    @Test("before the first step it says what it waits for")
    func waiting() {
        let view = CalibrationView(.gyro, canvas: Canvas())
        #expect(view.lines().map(\.text) == ["Gyroscope", "", "  waiting for the daemon"])
    }

    @Test("plain lines come with another instruction or another tenth, and not else")
    func plain() throws {
        var steps = CalibrationSteps(.gyro)
        func line(_ instruction: String, _ fraction: Double) throws -> String? {
            steps.line(
                try Samples.decode(
                    #"{"instruction":"\#(instruction)","fraction":\#(fraction),"seconds":75,"poses":[]}"#))
        }
        #expect(try line("holdStill", 0) == "1 min 15 s    0 %  Leave the board at rest where it is")
        #expect(try line("holdStill", 0.05) == nil)
        #expect(try line("holdStill", 0.31) == "1 min 15 s   30 %  Leave the board at rest where it is")
        #expect(try line("holdStill", 0.39) == nil)
        #expect(try line("movesTooMuch", 0.39) != nil)
    }

    @Test("where to turn next stays long enough to be followed; what is wrong is said at once")
    func steady() throws {
        var steps = CalibrationSteps(.mag)
        func line(_ seconds: Double, _ instruction: String, _ missing: String) throws -> String? {
            steps.line(
                try Samples.decode(
                    #"{"instruction":"\#(instruction)","fraction":0,"seconds":\#(seconds),"poses":[],"#
                        + #""direction":[0,1,0],"missing":\#(missing)}"#))
        }
        #expect(try line(1, "turnThroughDirections", "[1,0,0]")?.contains("right side") == true)
        for step in 1...9 {
            let missing = step % 2 == 0 ? "[1,0,0]" : "[-1,0,0]"
            #expect(try line(1 + 0.2 * Double(step), "turnThroughDirections", missing) == nil)
            #expect(try line(1.1 + 0.2 * Double(step), "turnSlower", missing) == nil)
        }
        #expect(try line(3.2, "turnThroughDirections", "[-1,0,0]")?.contains("left side") == true)
        #expect(try line(3.3, "leaveDisturbance", "[-1,0,0]")?.contains("magnet") == true)
        #expect(try line(3.4, "turnThroughDirections", "[1,0,0]")?.contains("right side") == true)
    }

    @Test("styles become escape sequences where colours are wanted, and lines are cut by what is seen")
    func styles() {
        var line = StyledLine("abc", .good)
        line.append("def")
        #expect(line.rendered(columns: 4, colour: true) == "\u{1B}[32mabc\u{1B}[0md")
        #expect(line.rendered(columns: 4, colour: false) == "abcd")
        #expect(line.rendered(columns: 2, colour: true) == "\u{1B}[32mab\u{1B}[0m")
    }

    @Test(
        "directions are named as sides, edges and corners",
        arguments: [
            ([0, 0, -1], "front side"), ([0.2, 0.9, 0.1], "top side"), ([-0.7, 0.7, 0], "top left edge"),
            ([0.5, -0.5, 0.5], "back bottom right corner"),
        ])
    func sides(direction: [Double], name: String) {
        #expect(BoardSides.name(direction) == name)
    }

    @Test("what is no direction has no name", arguments: [[], [0, 0, 0], [1, .nan, 0], [1, 2]])
    func noSide(direction: [Double]) {
        #expect(BoardSides.name(direction) == nil)
    }
}
