import COpenAL
import Geometry
import Glibc
import Linux

/// Renders frames of the beacon as binaural sound, with OpenAL.
///
/// Only one thread may use an output. Playing a frame neither allocates memory here nor waits for the device, because
/// OpenAL mixes on its own thread and receives changes there.
package final class SoundOutput {
    /// Reason why there is no output.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    package enum Destination: Hashable, Sendable {
        /// A device with this name; nil for the default device.
        case device(String?)
        /// Memory that `render` writes to.
        case memory
    }

    private let output: OpaquePointer
    /// Number of the sound for each pulse and source.
    private var sounds: [[Int32]] = []

    /// Requested sampling rate, which most devices support, and for which OpenAL has filters. Unit: hertz.
    private static let rate: Int32 = 48_000
    /// Distance of all sources. It is beyond arm's length, where the filters no longer depend on the distance. Unit:
    /// metres.
    private static let distance = 2.0
    private static let problemSize = 512

    package init(_ destination: Destination) throws(Problem) {
        output = try Self.open(destination)
        for pulse in BeaconFrame.Pulse.allCases {
            var numbers: [Int32] = []
            for source in 0..<AngularSpread.sources { numbers.append(try add(pulse, source)) }
            sounds.append(numbers)
        }
    }

    deinit { copenal_close(output) }

    /// Whether sound is filtered by head-related transfer functions; otherwise it is panned between left and right.
    package var hasHRTF: Bool { copenal_has_hrtf(output) }
    package var name: String { String(cString: copenal_device_name(output)) }
    package var isConnected: Bool { copenal_is_connected(output) }
    /// Sampling rate. Unit: hertz.
    package var rate: Int { Int(copenal_rate(output)) }
    /// Longest time that a change waits for the mixer. Unit: seconds.
    package var period: Double { copenal_period(output) }
    /// Time from the mixer to the ear, as the device reports it. Unit: seconds.
    package var latency: Double { copenal_latency(output) }

    package func play(_ frame: BeaconFrame) {
        copenal_begin(output)
        turn(frame.rotationSceneFromBody)
        let directions = AngularSpread.directions(around: frame.direction, angle: frame.spread)
        place(0, directions.0, frame.gain * AngularSpread.middleAmplitude)
        place(1, directions.1, frame.gain * AngularSpread.outerAmplitude)
        place(2, directions.2, frame.gain * AngularSpread.outerAmplitude)
        if let pulse = frame.pulse {
            let numbers = sounds[pulse.rawValue]
            for source in 0..<AngularSpread.sources { copenal_play(output, Int32(source), numbers[source]) }
        }
        copenal_commit(output)
    }

    /// Renders the next samples of an output to memory, left and right alternating.
    ///
    /// - Parameter samples: buffer for an even number of samples.
    package func render(into samples: UnsafeMutableBufferPointer<Float>) {
        guard let first = samples.baseAddress else { return }
        copenal_render(output, first, Int32(samples.count / 2))
    }

    /// Returns the names of the devices, as accepted by `device`.
    package static func devices() throws(Problem) -> [String] {
        try reportingProblem { problem, size in copenal_devices(problem, size).map(read) }
    }

    // MARK: - OpenAL

    /// Splits a list of names, each of which ends in a zero byte. One more zero byte ends the list.
    private static func read(_ list: UnsafePointer<CChar>) -> [String] {
        var names: [String] = []
        var rest = list
        while rest.pointee != 0 {
            names.append(String(cString: rest))
            // Uses the length in bytes of the C string, because the Swift string's length differs if the name was not
            // UTF-8.
            rest += strlen(rest) + 1
        }
        return names
    }

    private static func open(_ destination: Destination) throws(Problem) -> OpaquePointer {
        var name: String?
        if case .device(let given) = destination { name = given }
        return try reportingProblem { problem, size in
            withCStrings([name]) { names in
                var options = copenal_options(
                    device: names[0], is_renderer: destination == .memory, rate: rate,
                    sources: Int32(AngularSpread.sources))
                return copenal_open(&options, problem, size)
            }
        }
    }

    private static func reportingProblem<Value>(
        _ body: (UnsafeMutablePointer<CChar>, Int) -> Value?
    ) throws(Problem) -> Value {
        let (value, problem) = withProblemText(capacity: problemSize, body)
        guard let value else { throw Problem(description: problem) }
        return value
    }

    private func add(_ pulse: BeaconFrame.Pulse, _ source: Int) throws(Problem) -> Int32 {
        let samples = PulseSound.samples(pulse, source: source, rate: rate)
        let number = copenal_add_sound(output, samples, Int32(samples.count))
        guard number >= 0 else { throw Problem(description: "OpenAL has no room for the sounds") }
        return number
    }

    private func turn(_ rotationSceneFromBody: Rotation3) {
        withVector(rotationSceneFromBody * Vector3(0, 0, -1)) { ahead in
            withVector(rotationSceneFromBody * Vector3(0, 1, 0)) { up in copenal_turn(output, ahead, up) }
        }
    }

    private func place(_ source: Int32, _ direction: Vector3, _ gain: Double) {
        withVector(direction * Self.distance) { copenal_place(output, source, $0, Float(gain)) }
    }

    private func withVector(_ vector: Vector3, _ body: (UnsafePointer<Float>) -> Void) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 3) { values in
            values[0] = Float(vector.x)
            values[1] = Float(vector.y)
            values[2] = Float(vector.z)
            body(values.baseAddress!)
        }
    }
}
