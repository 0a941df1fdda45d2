import Estimation
import Geometry
import Simulation
import Testing

/// Whether the errors are those that the covariance promises, over many simulated walks with exact truth.
///
/// NEES is the squared error, NIS the squared innovation, each against its covariance and by degree of freedom: both
/// are one on average where a filter is consistent, above one where it is over-optimistic.
@Suite("Consistency")
struct ConsistencyTests {
    static let seeds: ClosedRange<UInt64> = 1...60
    /// In the middle of the walk and at its end; a walk of its own for each sample makes them independent.
    static let plan = WalkErrors.Plan(instants: [65, 110], settledAfter: 30)
    /// Two-sided, of the mean of independent squares.
    private static let probability = 0.999

    private static let matched = Task {
        await WalkErrors.ofWalks(seeds: seeds, matchedSettings, plan: plan, walk: matchedWalk)
    }

    private static let typical = Task {
        await WalkErrors.ofWalks(seeds: seeds, EstimatorSettings(), plan: plan) { CityWalkSettings(seed: $0) }
    }

    @Test("with the sensors' true noise, errors are those of the covariance", arguments: StatePart.allCases, [0, 1])
    func errorsOfMatchedNoise(part: StatePart, instant: Int) async throws {
        let squares = await Self.matched.value.map { $0.stateSquares[part, default: []][instant] }
        try #require(squares.count == Self.seeds.count)
        let mean = Self.mean(squares, part.dimensions)
        #expect(Self.bounds(squares.count, part.dimensions).contains(mean))
    }

    @Test("with the sensors' true noise, innovations are those of their covariance", arguments: InnovationPart.allCases)
    func innovationsOfMatchedNoise(part: InnovationPart) async throws {
        let squares = await Self.matched.value.flatMap { $0.innovationSquares[part, default: []] }
        // One a second: those of an optimal filter are independent in time, too.
        try #require(squares.count > Self.seeds.count * 70)
        let mean = Self.mean(squares, part.dimensions)
        #expect(Self.bounds(squares.count, part.dimensions).contains(mean))
    }

    @Test("by default, errors are at most those of the covariance", arguments: StatePart.allCases)
    func errorsByDefault(part: StatePart) async throws {
        // Both instants of a walk: they count as one where the bounds are drawn, for slow errors are the same at both.
        let squares = await Self.typical.value.flatMap { $0.stateSquares[part, default: []] }
        try #require(squares.count == 2 * Self.seeds.count)
        let mean = Self.mean(squares, part.dimensions)
        let bounds = Self.bounds(Self.seeds.count, part.dimensions)
        let range = Self.minimumByDefault * bounds.lowerBound...Self.excessByDefault(part) * bounds.upperBound
        #expect(range.contains(mean))
    }

    @Test("by default, innovations are about those of their covariance", arguments: InnovationPart.allCases)
    func innovationsByDefault(part: InnovationPart) async throws {
        let squares = await Self.typical.value.flatMap { $0.innovationSquares[part, default: []] }
        try #require(squares.count > Self.seeds.count * 25)
        let mean = Self.mean(squares, part.dimensions)
        #expect(Self.innovationsByDefault(part).contains(mean))
    }

    /// The noise that the filter assumes is above that of these sensors, so that worse ones are covered, too: a
    /// standard deviation of twice the error is allowed, less is not.
    private static let minimumByDefault = 0.25

    /// How far a part may be above its bound; nowhere but where the field is disturbed by up to a third of its
    /// horizontal part, rising slowly: a share of that is taken for hard iron and north before the gates see it.
    private static func excessByDefault(_ part: StatePart) -> Double {
        switch part {
        case .yaw: 1.2
        case .hardIron: 3
        default: 1
        }
    }

    private static func innovationsByDefault(_ part: InnovationPart) -> ClosedRange<Double> {
        switch part {
        case .gnssPosition: 0.8...1.25
        // A receiver's figure is taken for the speed's error, 1/√2 of it an axis; these report that of an axis.
        case .gnssVelocity: 0.8...2.1
        // The variance of a disturbance is thought to be in every sample.
        // So is the change of its direction along the way, which this short walk hardly shows.
        case .magneticYaw: 0.001...1.25
        }
    }

    private static func mean(_ squares: [Double], _ dimensions: Int) -> Double {
        squares.reduce(0, +) / Double(squares.count * dimensions)
    }

    /// Of the mean by degree of freedom.
    private static func bounds(_ count: Int, _ dimensions: Int) -> ClosedRange<Double> {
        let sum = ChiSquare.meanBounds(degreesOfFreedom: dimensions, count: count, probability: probability)
        return sum.lowerBound / Double(dimensions)...sum.upperBound / Double(dimensions)
    }
}
