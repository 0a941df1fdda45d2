/// Overlapping Allan variance of blocks of one length for some cluster sizes, from a stream in bounded memory.
///
/// With cumulative sums S of the blocks, the variance of clusters of m is `Σ (Sₙ − 2·Sₙ₋ₘ + Sₙ₋₂ₘ)² / (2·m²·windows)`.
/// Source: Riley, Howe, "Handbook of Frequency Stability Analysis", NIST SP 1065, section 5.2.4.
struct AllanLevel: Sendable {
    /// Number of samples of a block.
    let stride: Int
    /// Cluster sizes in blocks, ascending.
    let clusters: [Int]
    /// Sum of `(Sₙ − 2·Sₙ₋ₘ + Sₙ₋₂ₘ)²` by cluster size and axis.
    private(set) var squares: [SIMD4<Double>]
    /// Number of windows summed by cluster size.
    private(set) var windows: [Int]
    /// Ring buffer of the cumulative sums since the last interruption, as long as the longest window.
    private var sums: [SIMD4<Double>]
    private let mask: Int
    private var blocks = 0
    private var sum = SIMD4<Double>.zero

    init(stride: Int, clusters: [Int]) {
        self.stride = stride
        self.clusters = clusters
        var room = 1
        while room < 2 * (clusters.last ?? 1) + 1 { room *= 2 }
        mask = room - 1
        sums = [SIMD4<Double>](repeating: .zero, count: room)
        squares = [SIMD4<Double>](repeating: .zero, count: clusters.count)
        windows = [Int](repeating: 0, count: clusters.count)
    }

    mutating func add(_ block: SIMD4<Double>) {
        sum += block
        blocks += 1
        sums[blocks & mask] = sum
        for index in clusters.indices {
            let cluster = clusters[index]
            guard blocks >= 2 * cluster else { return }
            let middle = sums[(blocks - cluster) & mask]
            let difference = sum - middle - (middle - sums[(blocks - 2 * cluster) & mask])
            squares[index] += difference * difference
            windows[index] += 1
        }
    }

    /// Restarts after a missing block, which no window may span.
    mutating func interrupt() {
        blocks = 0
        sum = .zero
        sums[0] = .zero
    }
}
