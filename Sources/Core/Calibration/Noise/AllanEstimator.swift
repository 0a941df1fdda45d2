import Geometry

/// Estimates the overlapping Allan variance of three axes. The sample stream may have any length, but memory is
/// bounded. Decimation level 0 takes the samples; each further level takes the means of two blocks of the level before.
/// A cluster is formed at the level at which it has 19 to 32 blocks. Neighbouring windows are then at most a 19th of
/// the cluster apart, which gives the uncertainty of full overlap (SP 1065, section 5.2.4). Clusters of one size can be
/// formed with full overlap.
struct AllanEstimator: Sendable {
    /// One point of the curve. The cluster time is in samples.
    struct Point {
        /// Number of samples of a cluster.
        var cluster: Int
        /// Allan variance by axis.
        var variance: Vector3
        /// Number of windows that there would be with full overlap.
        var windows: Double
    }

    /// Mean of the available samples of a block, and their number.
    private struct Block {
        var mean: SIMD4<Double>
        var samples: Int
    }

    /// Reciprocal of the smallest fraction of a block's samples that must have been measured for the block to count.
    private static let minimumShare = 2
    /// Largest number of levels. 2⁴⁰ samples at 1 kHz are 35 years.
    private static let maximumLevelCount = 40
    /// Cluster sizes in blocks, four to an octave.
    private static let clusters = [19, 23, 27, 32]
    private static let firstClusters = [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 16] + clusters

    private var levels: [AllanLevel]
    /// First halves of blocks that wait for their second halves, by level.
    private var halves: [Block?] = [nil]
    /// Offset that is subtracted from all samples, so that sums keep their precision.
    private var origin: SIMD4<Double>?
    private let exact: Int?

    /// - Parameter exact: size, in samples, of the clusters that are formed with full overlap.
    init(exact: Int? = nil) {
        self.exact = exact
        let clusters = Self.firstClusters + (exact.map { $0 > 0 ? [$0] : [] } ?? [])
        levels = [AllanLevel(stride: 1, clusters: Array(Set(clusters)).sorted())]
    }

    mutating func add(_ value: Vector3) {
        let lanes = SIMD4(value.x, value.y, value.z, 0)
        if origin == nil { origin = lanes }
        push(Block(mean: lanes - origin!, samples: 1), at: 0)
    }

    /// Records that a number of samples is missing.
    mutating func skip(_ count: Int) {
        var (count, level) = (count, 0)
        while count > 0, level < levels.count {
            levels[level].interrupt()
            if let half = halves[level] {
                halves[level] = nil
                push(joined(half, Block(mean: .zero, samples: 0)), at: level + 1)
                count -= 1
            }
            if count % 2 == 1 { halves[level] = Block(mean: .zero, samples: 0) }
            (count, level) = (count / 2, level + 1)
        }
    }

    /// Starts a new segment, so that no window spans the interruption.
    mutating func interrupt() {
        for level in levels.indices {
            levels[level].interrupt()
            halves[level] = nil
        }
    }

    private mutating func push(_ block: Block, at first: Int) {
        var (block, level) = (block, first)
        while level < Self.maximumLevelCount {
            if level == levels.count {
                levels.append(AllanLevel(stride: 1 << level, clusters: Self.clusters))
                halves.append(nil)
            }
            if block.samples * Self.minimumShare >= levels[level].stride {
                levels[level].add(block.mean)
            } else {
                levels[level].interrupt()
            }
            guard let half = halves[level] else {
                halves[level] = block
                return
            }
            halves[level] = nil
            block = joined(half, block)
            level += 1
        }
    }

    private func joined(_ first: Block, _ second: Block) -> Block {
        let samples = first.samples + second.samples
        guard samples > 0 else { return first }
        let share = Double(second.samples) / Double(samples)
        return Block(mean: first.mean + (second.mean - first.mean) * share, samples: samples)
    }

    /// Points in ascending order of cluster size. Those without windows are left out.
    var points: [Point] {
        var points: [Point] = []
        for level in levels {
            for (index, cluster) in level.clusters.enumerated() where level.windows[index] > 0 {
                let windows = Double(level.windows[index])
                let variance = level.squares[index] / (2 * Double(cluster * cluster) * windows)
                points.append(
                    Point(
                        cluster: cluster * level.stride, variance: Vector3(variance.x, variance.y, variance.z),
                        windows: windows * Double(level.stride)))
            }
        }
        return merged(points)
    }

    /// Sorts the points and removes duplicates. The exact cluster replaces a cluster of equal length from another
    /// level, unless missing samples leave it few windows.
    private func merged(_ points: [Point]) -> [Point] {
        let sorted = points.enumerated().sorted {
            ($0.element.cluster, $0.offset) < ($1.element.cluster, $1.offset)
        }.map(\.element)
        var kept: [Point] = []
        for (index, point) in sorted.enumerated() {
            if point.cluster == exact, point.cluster > (Self.firstClusters.last ?? 0) {
                let around = [index - 1, index + 1].filter(sorted.indices.contains).map { sorted[$0].windows }
                if point.windows < 0.5 * (around.max() ?? 0) { continue }
            }
            if kept.last?.cluster != point.cluster { kept.append(point) }
        }
        return kept
    }
}

/// Estimates the overlapping Allan variance for several cluster sizes, from a stream of blocks of one length, in
/// bounded memory.
///
/// With cumulative sums S of the blocks, the variance of clusters of m blocks is `Σ (Sₙ − 2·Sₙ₋ₘ + Sₙ₋₂ₘ)² /
/// (2·m²·windows)`. Source: Riley, Howe, "Handbook of Frequency Stability Analysis", NIST SP 1065, section 5.2.4.
struct AllanLevel: Sendable {
    /// Number of samples of a block.
    let stride: Int
    /// Cluster sizes in blocks, ascending.
    let clusters: [Int]
    /// Sum of `(Sₙ − 2·Sₙ₋ₘ + Sₙ₋₂ₘ)²` by cluster size and axis.
    private(set) var squares: [SIMD4<Double>]
    /// Number of windows summed, by cluster size.
    private(set) var windows: [Int]
    /// Ring buffer of the cumulative sums since the last interruption. It is as long as the longest window.
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
