import Geometry
import JSON
import Model
import Recording
import TestTools
import Testing

@Suite("A block of samples")
struct SampleBlockTests {
    private func written(_ measurements: [Measurement]) -> [UInt8] {
        var block = SampleBlock()
        for measurement in measurements {
            let isTaken = block.append(measurement)
            #expect(isTaken)
        }
        var json = JSONWriter()
        block.write(into: &json)
        return json.bytes
    }

    private func read(_ text: some Collection<UInt8>) -> Result<[Measurement], JSONScanner.Problem> {
        Array(text).withUnsafeBytes { bytes in
            Result { () throws(JSONScanner.Problem) in try SampleBlockScanner.samples(bytes) }
        }
    }

    private let samples: [Measurement] = [
        .angularRate(AngularRateSample(time: BootTime(nanoseconds: 5), rate: Vector3(0.1, -0.0, 1e-300))),
        .specificForce(SpecificForceSample(time: BootTime(nanoseconds: 5), force: Vector3(1, 2, 9.81))),
        .pressure(PressureSample(time: BootTime(nanoseconds: -7), pressureHectopascal: 1013.25)),
        .magneticField(MagneticSample(time: BootTime(nanoseconds: 11), field: Vector3(20, -40, 0.1 + 0.2))),
        .clock(BootTime(nanoseconds: 9)),
        .angularRate(AngularRateSample(time: BootTime(nanoseconds: 4), rate: Vector3(3, 2, 1))),
    ]

    @Test("comes back in the order of its samples, with every bit and every time, one that steps back too")
    func roundTrip() throws {
        let found = try read(written(samples)).get()
        #expect("\(found)" == "\(samples)")
    }

    @Test("takes fast sensors alone, those of half a second, and a bounded number of them")
    func room() throws {
        var random = SplitMix(seed: 1)
        var block = SampleBlock()
        let others = [block.append(.fix(random.fix())), block.append(.calibration(random.calibration()))]
        #expect(others == [false, false])
        #expect(block.isEmpty && block.hasRoom(for: BootTime(nanoseconds: .min)))
        _ = block.append(.clock(BootTime(nanoseconds: .max)))
        #expect(!block.hasRoom(for: BootTime(nanoseconds: .min)))
        #expect(!block.hasRoom(for: BootTime(nanoseconds: .max - 500_000_000)))
        #expect(block.hasRoom(for: BootTime(nanoseconds: .max - 499_999_999)))
        while block.hasRoom(for: BootTime(nanoseconds: .max)) { _ = block.append(.clock(BootTime(nanoseconds: .max))) }
        #expect(block.count == 1024)
    }

    @Test(
        "with columns that do not fit each other is refused with the reason",
        arguments: [
            (#"{"order":"g"}"#, "time is missing"),
            (#"{"time":{"sec":0,"nsec":0}}"#, "order is missing"),
            (#"{"time":{"sec":0,"nsec":0},"order":"x"}"#, "none of gambc"),
            (#"{"time":{"sec":0,"nsec":0},"order":"g"}"#, "fewer samples"),
            (#"{"time":{"sec":0,"nsec":0},"order":"","clock":{"step":[1]}}"#, "more samples"),
            (
                #"{"time":{"sec":0,"nsec":0},"order":"g","angularRate":{"step":[1],"x":[1],"y":[1]}}"#,
                "angularRate.z is not as long as its step"
            ),
            (#"{"time":{"sec":0,"nsec":0},"order":"c","clock":{"step":[0.5]}}"#, "not a whole number"),
            (
                #"{"time":{"sec":9223372036,"nsec":0},"order":"cc","clock":{"step":[9223372036854775807,1]}}"#,
                "the time is out of range"
            ),
            (#"{"time":{"sec":0,"nsec":0},"order":"c","clock":{"step":[1]}} x"#, "more after the end"),
        ])
    func flaws(text: String, reason: String) {
        switch read(Array(text.utf8)) {
        case .success: Issue.record("taken: \(text)")
        case .failure(let problem): #expect(problem.description.contains(reason), "\(problem)")
        }
    }

    @Test("of more samples than any program writes is refused")
    func tooLong() {
        let steps = [String](repeating: "0", count: 70_000).joined(separator: ",")
        let order = String(repeating: "c", count: 70_000)
        let start = #"{"time":{"sec":0,"nsec":0},"#
        for text in ["\(start)\"order\":\"\(order)\"}", "\(start)\"order\":\"\",\"clock\":{\"step\":[\(steps)]}}"] {
            guard case .failure(let problem) = read(Array(text.utf8)) else {
                Issue.record("taken")
                continue
            }
            #expect(problem.description.contains("more than 65536"))
        }
    }

    @Test("with any byte changed is read or refused, and never traps")
    func mutated() {
        var random = SplitMix(seed: 2)
        let text = written(samples)
        var refused = 0
        for _ in 0..<20_000 {
            var changed = text
            changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8(truncatingIfNeeded: random.next())
            if case .failure = read(changed) { refused += 1 }
        }
        #expect(refused > 10_000)
    }
}
