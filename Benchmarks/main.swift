#if canImport(Glibc)
    import Glibc
#endif

/// Usage: waymark-bench [ROUNDS]             a line for each round and the least of them
///        waymark-bench --serve              a round for each line of input, as JSON, for scripts/bench
///        waymark-bench --rows               the inertial and magnetic samples, as doubles, for another filter
///        waymark-bench --check-allocations  ends with 1 where the path of a sample takes memory from the heap
let seconds = 300.0

guard let walk = RecordedWalk(seconds: seconds) else { fatalError("the magnetic model reaches the walk") }
let mode = CommandLine.arguments.dropFirst().first ?? "5"
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
case "--rows":
    walk.rows.withUnsafeBytes { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = write(STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            guard written > 0 else { exit(1) }
            rest = rest.dropFirst(written)
        }
    }
case "--check-allocations":
    let round = Round(walk)
    print("allocations per inertial sample: \(round.allocationsPerSample)")
    exit(round.allocationsPerSample == 0 ? 0 : 1)
default:
    guard let rounds = Int(mode), rounds > 0 else { fatalError("the number of rounds, not '\(mode)'") }
    for _ in 0..<rounds {
        let round = Round(walk)
        print("ns per sample \(round.nanosecondsPerSample), late fix \(round.nanosecondsPerLateFix),", terminator: " ")
        print("allocations \(round.allocationsPerSample), large copies \(round.largeCopiesPerSample)")
    }
}
