import Foundation
import Linux
import Testing
import Varlink

/// SplitMix64: the same numbers for the same seed, everywhere.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

@Suite struct FuzzTests {
    private static let calls = [
        #"{"method":"org.example.test.Echo","parameters":{"text":"a\u00e4\"\\","number":-12}}"#,
        #"{"method":"org.example.test.Watch","more":true}"#,
        #"{"method":"org.example.test.Publish","parameters":{"count":2,"padding":10}}"#,
        #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"org.example.test"}}"#,
        #"{"method":"org.varlink.service.GetInfo","oneway":true}"#,
    ]

    /// One or several calls with some bytes changed, left out, doubled or made up.
    private static func message(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            bytes += Array(calls.randomElement(using: &random)!.utf8) + [0]
        }
        for _ in 0..<Int.random(in: 0...6, using: &random) where bytes.count > 2 {
            let index = Int.random(in: 0..<bytes.count - 1, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(bytes[index], at: index)
            case 3: bytes.insert(contentsOf: Array("\"{}[]:,\\".utf8).shuffled(using: &random).prefix(3), at: index)
            default: bytes.removeSubrange(index..<min(index + 10, bytes.count))
            }
        }
        return bytes
    }

    /// Sends in random pieces, and reads now and then.
    private static func send(_ bytes: [UInt8], to client: RawClient, _ random: inout SeededGenerator) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(Int.random(in: 1...200, using: &random)))
            guard try client.send(piece) else { return }
            rest = rest.dropFirst(piece.count)
        }
    }

    @Test("random and mutated calls in random pieces never end the server", arguments: [1, 2, 3, 4] as [UInt64])
    func fuzz(seed: UInt64) throws {
        var random = SeededGenerator(state: seed)
        let server = try TestServer()
        let control = try RawClient(server)
        var clients: [RawClient] = []
        for round in 0..<300 {
            if clients.count < 5 { clients.append(try RawClient(server)) }
            let client = clients.randomElement(using: &random)!
            if Int.random(in: 0..<10, using: &random) == 0 {
                let noise = (0..<500).map { _ in UInt8.random(in: 0...255, using: &random) }
                try Self.send(noise, to: client, &random)
            } else {
                try Self.send(Self.message(&random), to: client, &random)
            }
            if Int.random(in: 0..<4, using: &random) == 0 { clients.removeAll { $0 === client } }
            if round % 20 == 0 {
                try control.call("Echo", #"{"text":"alive","number":\#(round)}"#)
                #expect(try control.reply().parameters?.number == round)
            }
        }
        clients = []
        try until(control) { $0.clients == 1 && $0.streams == 0 }
    }
}
