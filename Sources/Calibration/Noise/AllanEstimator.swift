import Geometry

/// The overlapping Allan variance of three axes from a stream of samples, of any length and in bounded memory.
///
/// Level 0 takes the samples, each further level the means of two blocks of the one before. A cluster is formed at the level
/// where it has 19 to 32 blocks, so that neighbouring windows lie at most a 19th of the cluster apart: so many overlaps bring
/// the uncertainty to what the fullest overlap has (SP 1065, section 5.2.4). One cluster can be asked for sample by sample.
struct AllanEstimator: Sendable {
    /// One point, before it is known how long a sample lasts.
    struct Point {
        /// Samples in a cluster.
        var cluster: Int
        /// By axis.
        var variance: Vector3
        /// That one sample would give if windows overlapped by all but a sample.
        var windows: Double
    }

    /// Mean of what there is of a block, and how many samples that is.
    private struct Block {
        var mean: SIMD4<Double>
        var samples: Int
    }

    /// A block counts where at least half of it was measured.
    private static let leastShare = 2
    /// 2⁴⁰ samples at 1 kHz are 35 years.
    private static let mostLevels = 40
    /// Four an octave.
    private static let clusters = [19, 23, 27, 32]
    private static let firstClusters = [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 16] + clusters

    private var levels: [AllanLevel]
    /// First halves of blocks that wait for their second.
    private var halves: [Block?] = [nil]
    /// Taken off all samples, so that sums keep their digits.
    private var origin: SIMD4<Double>?
    private let exact: Int?

    /// - Parameter exact: samples of the cluster to form sample by sample.
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

    /// So many samples are missing.
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

    /// What comes now cannot be compared with what was before.
    mutating func interrupt() {
        for level in levels.indices {
            levels[level].interrupt()
            halves[level] = nil
        }
    }

    private mutating func push(_ block: Block, at first: Int) {
        var (block, level) = (block, first)
        while level < Self.mostLevels {
            if level == levels.count {
                levels.append(AllanLevel(stride: 1 << level, clusters: Self.clusters))
                halves.append(nil)
            }
            if block.samples * Self.leastShare >= levels[level].stride {
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

    /// By cluster, ascending; only those that have windows.
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

    /// The cluster that was asked for stands in for one of another level that is as long; where samples are missing it has
    /// few windows, and the others are better.
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
