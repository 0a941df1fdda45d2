import Glibc

/// Amplitudes by frequency, by the fast Fourier transform.
struct Spectrum {
    private(set) var real: [Double]
    private(set) var imaginary: [Double]

    /// - Parameter values: a power of two of them.
    init(_ values: [Double]) {
        real = values
        imaginary = [Double](repeating: 0, count: values.count)
        Self.reorder(&real)
        transform()
    }

    /// Power in some bins.
    func power(_ bins: Range<Int>) -> Double {
        bins.reduce(0) { $0 + real[$1] * real[$1] + imaginary[$1] * imaginary[$1] }
    }

    /// Phase of a bin less that of another spectrum. Unit: radians.
    func phase(_ bin: Int, less other: Spectrum) -> Double {
        atan2(imaginary[bin], real[bin]) - atan2(other.imaginary[bin], other.real[bin])
    }

    private mutating func transform() {
        var half = 1
        while half < real.count {
            for offset in 0..<half {
                let (c, s) = (cos(-.pi * Double(offset) / Double(half)), sin(-.pi * Double(offset) / Double(half)))
                for a in stride(from: offset, to: real.count, by: 2 * half) {
                    let b = a + half
                    let x = real[b] * c - imaginary[b] * s
                    let y = real[b] * s + imaginary[b] * c
                    (real[b], imaginary[b]) = (real[a] - x, imaginary[a] - y)
                    (real[a], imaginary[a]) = (real[a] + x, imaginary[a] + y)
                }
            }
            half *= 2
        }
    }

    /// By the reversed bits of their numbers.
    private static func reorder(_ values: inout [Double]) {
        var reversed = 0
        for index in 1..<values.count {
            var bit = values.count / 2
            while reversed & bit != 0 {
                reversed ^= bit
                bit /= 2
            }
            reversed |= bit
            if index < reversed { values.swapAt(index, reversed) }
        }
    }
}
