import Geometry
import Glibc
import Model
import Simulation

/// One channel's noise of known coefficients: white noise, flicker as a sum of Gauss–Markov processes, and a random
/// walk.
///
/// Processes of equal variance σ² with time constants a factor r apart have the density `σ²/(ln r·f)`, of which
/// B²/(π·f) is flicker; with r = 4 it is even within 1 % over the time constants that there are.
struct SimulatedNoise {
    var randomWalk: Double
    var biasInstability: Double
    var rateRandomWalk: Double

    struct Channel {
        private var random: RandomSource
        private let white: Double
        private let step: Double
        private var walk = 0.0
        private var flicker: [(value: Double, decay: Double, innovation: Double)] = []

        init(_ noise: SimulatedNoise, rate: Double, seconds: Double, random: RandomSource) {
            var random = random
            white = noise.randomWalk * rate.squareRoot()
            step = noise.rateRandomWalk / rate.squareRoot()
            var time = 0.3 / rate
            while noise.biasInstability > 0, time < 4 * seconds {
                let standardDeviation = noise.biasInstability * (log(4) / Double.pi).squareRoot()
                let decay = exp(-1 / (rate * time))
                flicker.append(
                    (standardDeviation * random.normal(), decay, standardDeviation * (1 - decay * decay).squareRoot()))
                time *= 4
            }
            self.random = random
        }

        mutating func next() -> Double {
            walk += step * random.normal()
            var value = walk + white * random.normal()
            for index in flicker.indices {
                flicker[index].value =
                    flicker[index].value * flicker[index].decay + flicker[index].innovation * random.normal()
                value += flicker[index].value
            }
            return value
        }
    }

    /// Six channels of it as a gyroscope's and an accelerometer's, the latter on gravity.
    func feed(
        rate: Double, seconds: Double, seed: UInt64, into take: (Measurement) -> Void
    ) {
        var channels = (0..<6).map { axis in
            Channel(self, rate: rate, seconds: seconds, random: RandomSource(seed: seed, stream: UInt64(axis + 1)))
        }
        for index in 0..<Int(seconds * rate) {
            let time = BootTime(nanoseconds: 1_000_000_000 + Int64((Double(index) * 1e9 / rate).rounded()))
            let values = channels.indices.map { channels[$0].next() }
            take(.angularRate(AngularRateSample(time: time, rate: Vector3(values[0], values[1], values[2]))))
            take(
                .specificForce(
                    SpecificForceSample(time: time, force: Vector3(values[3], values[4] + 9.8, values[5]))))
        }
    }
}
