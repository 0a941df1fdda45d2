import Foundation
import FuzzParsers
import TestTools
import Testing

/// What fuzzing found, and what it starts from, without a fuzzer: a parser that traps ends the tests.
@Suite("Parsers of what comes from outside")
struct KeptInputTests {
    private static let corpora = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fuzz/Corpora").standardizedFileURL

    @Test("each parser survives the inputs that are kept, and pieces and damaged copies of them", arguments: parsers)
    func kept(parser: Parser) throws {
        let inputs = try Self.inputs(of: parser)
        #expect(!inputs.isEmpty)
        var random = SplitMix(seed: 1)
        for input in inputs {
            parser.parse(input)
            for _ in 0..<Self.copies { parser.parse(Self.damaged(input, &random)) }
        }
    }

    @Test("each corpus belongs to a parser")
    func noOrphans() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpora.path)
        #expect(folders.sorted() == parsers.map(\.name))
    }

    /// Enough to meet each kind of damage, and seldom new: finding inputs is the fuzzer's part.
    private static let copies = 8

    private static func inputs(of parser: Parser) throws -> [[UInt8]] {
        let folder = corpora.appending(path: parser.name)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
            try Array(Data(contentsOf: folder.appending(path: $0)))
        }
    }

    /// The beginning of an input, some bytes of which are others.
    private static func damaged(_ input: [UInt8], _ random: inout SplitMix) -> [UInt8] {
        var copy = Array(input.prefix(Int.random(in: 0...input.count, using: &random)))
        for place in copy.indices.shuffled(using: &random).prefix(3) {
            copy[place] = UInt8.random(in: 0...255, using: &random)
        }
        return copy
    }
}
