/// A reader of bytes that come from outside, under the name of its corpus.
///
/// It may refuse what it is given, by an error that is ignored here; what it must not do is trap, hang, read beyond its
/// input or take memory without bound.
package struct Parser: Sendable {
    package let name: String
    package let parse: @Sendable ([UInt8]) -> Void
}

/// All parsers, in the order of their names.
package let parsers = [documentParsers, recordingParsers, daemonParsers, webParsers, bridgeParsers]
    .flatMap { $0 }.sorted { $0.name < $1.name }
