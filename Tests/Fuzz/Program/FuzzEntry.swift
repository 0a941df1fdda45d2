import FuzzParsers
import Glibc
import Linux

// libFuzzer has the program's main: https://llvm.org/docs/LibFuzzer.html.
// Usage: waymark-fuzz PARSER [option of libFuzzer | folder of inputs | file]...
// Without a parser it lists them.

/// The parser that this process feeds; libFuzzer's calls carry no context.
nonisolated(unsafe) private var chosen: Parser?

/// Takes the parser's name out of the arguments, of which libFuzzer knows nothing.
@_cdecl("LLVMFuzzerInitialize")
func chooseParser(
    count: UnsafeMutablePointer<Int32>,
    arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> Int32 {
    let name = count.pointee > 1 ? arguments.pointee[1].map { String(cString: $0) } : nil
    guard let parser = parsers.first(where: { $0.name == name }) else {
        for parser in parsers { print(parser.name) }
        exit(name == nil ? 0 : 2)
    }
    chosen = parser
    // What a service reports of each input would fill disks.
    Log.threshold = .error
    arguments.pointee[1] = arguments.pointee[0]
    arguments.pointee += 1
    count.pointee -= 1
    return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
func parseOne(data: UnsafePointer<UInt8>?, size: Int) -> Int32 {
    chosen?.parse(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}
