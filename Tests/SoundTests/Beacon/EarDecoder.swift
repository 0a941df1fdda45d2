import Sound
import Geometry
import Glibc

/// Finds the direction of a pulse from what reaches the two ears: the time between them, and their levels in bands of
/// frequency, compared with the same pulse from known directions.
struct EarDecoder {
    /// What the ears have of one pulse.
    struct Cues {
        /// Delay of the left ear after the right one. Unit: samples.
        var delay: Double
        /// Left and right in turn by bands, beside the mean of all. Unit: dB.
        var levels: [Double]
    }

    /// Directions of one elevation, by their azimuths from ahead to the right all around. Unit: radians.
    private struct Ring {
        var azimuths: [Double] = []
        var features: [[Double]] = []
    }

    private var rings: [BeaconFrame.Pulse: [Ring]] = [:]

    /// Samples of a pulse at 48 kHz that are compared: it has decayed by then.
    static let window = 4096
    /// Azimuths and elevations of the references. Unit: degrees.
    private static let step = 5
    private static let elevations = [-8, 0, 8]
    /// Azimuths at which the wearer looks at what sounds, with some room. Unit: degrees.
    private static let ahead = -25...25

    /// Renders a pulse from all directions.
    init(_ output: SoundOutput) {
        rings[.searching] = Self.elevations.map { Self.ring(output, .searching, -180...180, elevation: $0) }
        rings[.ahead] = Self.elevations.map { Self.ring(output, .ahead, Self.ahead, elevation: $0) }
    }

    private static func ring(
        _ output: SoundOutput, _ pulse: BeaconFrame.Pulse, _ degrees: ClosedRange<Int>, elevation: Int
    ) -> Ring {
        var ring = Ring()
        for azimuth in stride(from: degrees.lowerBound, through: degrees.upperBound, by: step) {
            ring.azimuths.append(Double(azimuth) * .pi / 180)
            let cues = reference(output, pulse, azimuth: Double(azimuth), elevation: Double(elevation))
            ring.features.append(features(cues))
        }
        return ring
    }

    /// A direction in the body's axes: x right, y up, z back.
    static func direction(azimuth: Double, elevation: Double) -> Vector3 {
        Vector3(sin(azimuth) * cos(elevation), sin(elevation), -cos(azimuth) * cos(elevation))
    }

    private static func reference(
        _ output: SoundOutput, _ pulse: BeaconFrame.Pulse, azimuth: Double, elevation: Double
    ) -> Cues {
        var frame = BeaconFrame()
        frame.direction = direction(azimuth: azimuth * .pi / 180, elevation: elevation * .pi / 180)
        frame.gain = 0.4
        frame.pulse = pulse
        output.play(frame)
        // To the end of the pulse.
        return cues(output.frames(6144)[...])
    }

    /// Azimuth of a pulse, clockwise from where the wearer looks: that of the nearest point on the lines between
    /// neighbouring references. Unit: radians.
    func azimuth(_ cues: Cues, _ pulse: BeaconFrame.Pulse) -> Double {
        let found = Self.features(cues)
        var best = (square: Double.infinity, azimuth: 0.0)
        for ring in rings[pulse] ?? [] {
            for index in ring.azimuths.indices.dropLast() {
                let (square, share) = Self.nearest(found, ring.features[index], ring.features[index + 1])
                guard square < best.square else { continue }
                best = (square, ring.azimuths[index] + share * Double(Self.step) * .pi / 180)
            }
        }
        return Angle.wrapped(best.azimuth)
    }

    /// Squared distance of a point from the line between two others, and the share of its length where it is nearest.
    private static func nearest(_ point: [Double], _ a: [Double], _ b: [Double]) -> (square: Double, share: Double) {
        var (along, length) = (0.0, 1e-30)
        for index in point.indices {
            along += (point[index] - a[index]) * (b[index] - a[index])
            length += (b[index] - a[index]) * (b[index] - a[index])
        }
        let share = min(max(along / length, 0), 1)
        let square = point.indices.reduce(0.0) { sum, index in
            let off = point[index] - a[index] - share * (b[index] - a[index])
            return sum + off * off
        }
        return (square, share)
    }

    /// One sample of delay weighs as 3 dB in all of the bands.
    private static func features(_ cues: Cues) -> [Double] {
        let scale = 1 / Double(cues.levels.count).squareRoot()
        return cues.levels.map { $0 * scale } + [3 * cues.delay]
    }

    /// - Parameter heard: left and right in turn, from the beginning of the pulse.
    static func cues(_ heard: ArraySlice<Float>) -> Cues {
        let left = ear(heard, 0)
        let right = ear(heard, 1)
        let bands = zip(levels(left), levels(right)).flatMap { [$0, $1] }
        let mean = bands.reduce(0, +) / Double(bands.count)
        return Cues(delay: delay(left, right), levels: bands.map { $0 - mean })
    }

    /// How far the delays at which the ears have something in common lie apart: the root of their mean square from the
    /// main one, weighed by the squared correlation of phases from 500 to 6000 Hz. Unit: samples.
    static func width(_ heard: ArraySlice<Float>) -> Double {
        let (left, right) = (Spectrum(ear(heard, 0)), Spectrum(ear(heard, 1)))
        let phases = (43..<512).map { (bin: Double($0), phase: left.phase($0, less: right)) }
        let common = (-45...45).map { lag -> (lag: Double, weight: Double) in
            let turn = 2 * .pi * Double(lag) / Double(window)
            let sum = phases.reduce(0) { $0 + cos($1.phase + turn * $1.bin) }
            return (Double(lag), sum > 0 ? sum * sum : 0)
        }
        let main = common.max { $0.weight < $1.weight }!.lag
        let square = common.reduce(0) { $0 + $1.weight * ($1.lag - main) * ($1.lag - main) }
        return (square / common.reduce(0) { $0 + $1.weight }).squareRoot()
    }

    private static func ear(_ heard: ArraySlice<Float>, _ side: Int) -> [Double] {
        (0..<window).map { Double(heard[heard.startIndex + 2 * $0 + side]) }
    }

    /// Delay of the left ear at the largest correlation.
    private static func delay(_ left: [Double], _ right: [Double]) -> Double {
        // A head is 0.8 ms wide.
        let maximumLag = 40
        let sums = (-maximumLag...maximumLag).map { lag -> Double in
            var sum = 0.0
            for index in maximumLag..<(window - maximumLag) { sum += left[index + lag] * right[index] }
            return sum
        }
        let best = min(max(sums.indices.max { sums[$0] < sums[$1] }!, 1), sums.count - 2)
        let (before, peak, after) = (sums[best - 1], sums[best], sums[best + 1])
        let share = (before - after) / (2 * (before - 2 * peak + after))
        return Double(best - maximumLag) + share
    }

    /// Power in bands of a third of an octave from 500 Hz on. Unit: dB.
    private static func levels(_ ear: [Double]) -> [Double] {
        let spectrum = Spectrum(ear)
        let bin = 48_000 / Double(window)
        return (0..<15).map { band in
            let low = 500 * pow(2, Double(band) / 3)
            return 10 * log10(spectrum.power(Int(low / bin)..<Int(low * pow(2, 1.0 / 3) / bin)) + 1e-15)
        }
    }
}

extension SoundOutput {
    /// Next frames, left and right in turn.
    func frames(_ count: Int) -> [Float] {
        [Float](unsafeUninitializedCapacity: 2 * count) { buffer, filled in
            render(into: UnsafeMutableBufferPointer(rebasing: buffer[..<(2 * count)]))
            filled = 2 * count
        }
    }
}
