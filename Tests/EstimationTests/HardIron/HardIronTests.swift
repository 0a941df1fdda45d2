import Estimation
import EstimatorFixtures
import Geometry
import Testing

@Suite("Hard iron learned elsewhere")
struct HardIronTests {
    @Test("the yaw follows as if the filter itself had measured the hard iron", arguments: UInt64(1)...6)
    func follows(seed: UInt64) throws {
        var random = Seeded(seed)
        var filter = Fixture.filter(&random)
        filter.covariance = Fixture.covariance(&random)
        // A measurement of the hard iron, by the filter and by other means.
        let iron = ErrorState.hardIron
        let found = filter.state.hardIron + random.vector(0.2)
        var h = Jacobian<3>()
        for k in 0..<3 { h[k, iron + k] = 1 }
        let noise = 0.05 * Matrix<3, 3>.identity
        var direct = filter
        let difference = found - direct.state.hardIron
        var r = Matrix<3, 1>()
        (r[0, 0], r[1, 0], r[2, 0]) = (difference.x, difference.y, difference.z)
        direct.apply(Update(innovation: r, jacobian: h, noise: noise, mask: .all, gate: nil, cause: .calibration))
        filter.learn(
            hardIron: direct.state.hardIron, covariance: direct.covariance.block(iron, iron), addedVariance: 0)
        let change = Fixture.difference(filter.state, direct.state)
        for i in 0..<ErrorState.count {
            #expect(abs(change[i]) < 1e-6, "state \(i)")
            for j in 0..<ErrorState.count {
                // The turn of the attitude's errors to the corrected attitude is left out: it is of the third order.
                #expect(abs(filter.covariance[i, j] - direct.covariance[i, j]) < 0.15, "\(i), \(j)")
                #expect(filter.covariance[i, j] == filter.covariance[j, i])
            }
        }
    }
}
