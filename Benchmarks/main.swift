import Geometry

import Glibc

/// Usage: waymark-bench [ROUNDS]             a line for each round and the least of them
///        waymark-bench --serve              a round for each line of input, as JSON, for scripts/bench
///        waymark-bench --paced SAMPLES      says "ready", waits for a line of input, feeds these samples at 200 Hz,
///                                           and prints the nanoseconds of processor time of each, for scripts/bench
///        waymark-bench --rows               the inertial and magnetic samples, as doubles, for another filter
///        waymark-bench --instructions PART  feeds that part of the walk (`CountedPart`) in `waymark_counted`, of which
///                                           callgrind counts the instructions for scripts/bench, and prints what to
///                                           divide them by
///        waymark-bench --memory             what one estimator holds, as JSON, for scripts/bench
///        waymark-bench --scene PLACES       what the scene costs in a dense city, as JSON, for scripts/bench
///        waymark-bench --city FILE PLACES LATITUDE LONGITUDE
///                                           writes the places of such a city, for scripts/daemon-load
///        waymark-bench --noise HOURS        what the analysis of noise costs, as JSON, for scripts/bench
///        waymark-bench --noise-table FILE HOURS
///                                           writes the same samples as a table, for `waymark calibrate noise --from`
///        waymark-bench --truth SEED SECONDS the built-in walk as it really is, as a table, for Tests/System/renderer
///        waymark-bench --ring READS         reads of the pose ring beside a process that writes without pause, as
///                                           JSON; ends with a failure where one was torn
///        waymark-bench --check-allocations  ends with 1 where the path of a sample takes memory from the heap
let seconds = 300.0

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "--scene":
    guard arguments.count == 2, let places = Int(arguments[1]), places > 0 else { fatalError("--scene PLACES") }
    try SceneBench.run(places: places)
    exit(0)
case "--city":
    guard arguments.count == 5, let places = Int(arguments[2]), let latitude = Double(arguments[3]),
        let longitude = Double(arguments[4]),
        let center = GeodeticPosition(
            latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: 0)
    else { fatalError("--city FILE PLACES LATITUDE LONGITUDE") }
    try SceneBench.write(places: places, to: arguments[1], around: center)
    exit(0)
case "--noise":
    guard arguments.count == 2, let hours = Double(arguments[1]), hours > 0 else { fatalError("--noise HOURS") }
    NoiseBench.run(hours: hours)
    exit(0)
case "--noise-table":
    guard arguments.count == 3, let hours = Double(arguments[2]), hours > 0 else {
        fatalError("--noise-table FILE HOURS")
    }
    NoiseBench.write(hours: hours, to: arguments[1])
    exit(0)
case "--truth":
    guard arguments.count == 3, let seed = UInt64(arguments[1]), let seconds = Int(arguments[2]), seconds > 0 else {
        fatalError("--truth SEED SECONDS")
    }
    WalkTruthTable.run(seed: seed, seconds: seconds)
    exit(0)
case "--ring":
    guard arguments.count == 2, let reads = Int(arguments[1]), reads > 0 else { fatalError("--ring READS") }
    try RingBench.run(reads: reads)
    exit(0)
case "--ring-writer":
    try RingBench.write()
    exit(0)
case "--instructions":
    guard arguments.count == 2, let part = CountedPart(rawValue: arguments[1]) else {
        fatalError("--instructions \(CountedPart.allCases.map(\.rawValue).joined(separator: "|"))")
    }
    print(part.feed())
    exit(0)
default: break
}

guard let walk = RecordedWalk(seconds: seconds) else { fatalError("the magnetic model reaches the walk") }
let mode = arguments.first ?? "5"
switch mode {
case "--serve":
    while readLine() != nil {
        let round = Round(walk)
        print(
            """
            {"sample": \(round.nanosecondsPerSample), "fix": \(round.nanosecondsPerLateFix), \
            "allocations": \(round.allocationsPerSample), "copies": \(round.largeCopiesPerSample)}
            """)
        fflush(nil)
    }
case "--paced":
    guard arguments.count == 2, let samples = Int(arguments[1]), samples > 0 else { fatalError("--paced SAMPLES") }
    let cost = PacedRun.run(walk, samples: samples) {
        print("ready")
        fflush(nil)
        _ = readLine()
    }
    print(cost)
case "--rows":
    walk.rows.withUnsafeBytes { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = write(STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            guard written > 0 else { exit(1) }
            rest = rest.dropFirst(written)
        }
    }
case "--memory":
    let memory = HeldMemory(walk)
    print(
        """
        {"filter": \(memory.filter), "bankOpen": \(memory.bankOpen), "bankClosed": \(memory.bankClosed)}
        """)
case "--check-allocations":
    let round = Round(walk)
    print("allocations per inertial sample: \(round.allocationsPerSample)")
    exit(round.allocationsPerSample == 0 ? 0 : 1)
default:
    guard let rounds = Int(mode), rounds > 0 else {
        print("waymark-bench: '\(mode)' is neither a mode nor a number of rounds: `make bench` runs them all")
        exit(2)
    }
    for _ in 0..<rounds {
        let round = Round(walk)
        print("ns per sample \(round.nanosecondsPerSample), late fix \(round.nanosecondsPerLateFix),", terminator: " ")
        print("allocations \(round.allocationsPerSample), large copies \(round.largeCopiesPerSample)")
    }
}
