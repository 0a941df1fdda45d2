/// What the program ends with; scripts rely on these numbers.
enum ExitCode: Int32 {
    case done = 0
    case failed = 1
    case usage = 2
    case unreachable = 3
    case timedOut = 4
}
