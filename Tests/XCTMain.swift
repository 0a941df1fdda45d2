import Testing

/// Runs the tests of all modules that are linked into the test program. Without an entry point of its own the package
/// would have one made from an index of all tests, which takes the compiler a third of its time, and finds nothing:
/// there are no tests of XCTest.
@main
enum TestProgram {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
