import Glibc

/// Fit of noise processes to the Allan curve of one axis, by generalised least squares of the logarithms. It uses the
/// covariance of the curve's points. The coefficients are also fitted as logarithms, so that they stay positive.
struct NoiseFit {
    private(set) var model = NoiseModel()
    /// Relative standard deviation of each significant coefficient.
    private(set) var uncertainties: [NoiseModel.Term: Double] = [:]
    /// Shortest cluster time that the fit uses. Unit: seconds.
    private(set) var begin = 0.0

    private struct Candidate {
        var model: NoiseModel
        var terms: [NoiseModel.Term]
        var uncertainties: [Double]
        var distances: [Double]
        /// Logarithm of the determinant of the covariance that normalises the distances.
        var logDeterminant: Double

        var squaredDistance: Double { distances.reduce(0) { $0 + $1 * $1 } }
        /// −2·log-likelihood without its constant. The determinant penalises models that predict a larger scatter.
        var unlikelihood: Double { squaredDistance + logDeterminant }
    }

    /// - Parameters:
    ///   - clusters: cluster sizes in samples, ascending.
    ///   - variances: Allan variances, above zero.
    ///   - freedoms: equivalent degrees of freedom.
    ///   - interval: sampling interval. Unit: seconds.
    ///   - duration: duration of the record. Unit: seconds.
    init?(clusters: [Int], variances: [Double], freedoms: [Double], interval: Double, duration: Double) {
        var best: (candidate: Candidate, misfit: Double, begin: Int)?
        var first = 0
        while clusters.count - first >= NoiseLimits.minimumPointCount {
            let part = AllanCurvePart(
                clusters: Array(clusters[first...]), variances: Array(variances[first...]),
                freedoms: Array(freedoms[first...]), interval: interval, duration: duration)
            if let candidate = Self.fit(part) {
                let count = Double(NoiseLimits.firstPoints)
                let misfit = candidate.distances.prefix(NoiseLimits.firstPoints).reduce(0) { $0 + $1 * $1 } / count
                if misfit < best?.misfit ?? .infinity { best = (candidate, misfit, first) }
                if misfit < NoiseLimits.maximumMisfit { break }
            }
            first += NoiseLimits.firstPoints / 2
            if first < clusters.count, Double(clusters[first]) * interval > NoiseLimits.latestBegin { break }
        }
        guard let best else { return nil }
        begin = Double(clusters[best.begin]) * interval
        for (term, uncertainty) in zip(best.candidate.terms, best.candidate.uncertainties)
        where uncertainty <= NoiseLimits.maximumUncertainty {
            model[term] = best.candidate.model[term]
            uncertainties[term] = uncertainty
        }
    }

    /// Coefficient of a process; nil if it is not significant.
    func coefficient(_ term: NoiseModel.Term) -> Double? {
        uncertainties[term] == nil ? nil : model[term].squareRoot()
    }

    /// Makes a fit with a rate random walk, or with a rate ramp instead if the ramp is much more likely.
    private static func fit(_ part: AllanCurvePart) -> Candidate? {
        let shared = AllanCovariance(clusters: part.clusters, interval: part.interval, duration: part.duration)
        let walk = fit([.quantisation, .randomWalk, .biasInstability, .rateRandomWalk], part, shared)
        let ramp = fit([.quantisation, .randomWalk, .biasInstability, .rateRamp], part, shared)
        guard let walk, let ramp, ramp.terms.contains(.rateRamp) else { return walk ?? ramp }
        return ramp.unlikelihood + NoiseLimits.minimumGain < walk.unlikelihood ? ramp : walk
    }

    private static func fit(
        _ terms: [NoiseModel.Term], _ part: AllanCurvePart, _ shared: AllanCovariance
    ) -> Candidate? {
        var covariance = part.independent
        var best: Candidate?
        for _ in 0..<NoiseLimits.rounds {
            guard let whitening = Whitening(part.widened(covariance), size: part.taus.count),
                let candidate = reduced(terms, part, whitening)
            else { break }
            best = candidate
            covariance = part.covariance(candidate.model, shared)
        }
        return best
    }

    /// Makes a fit from which insignificant processes are removed one by one.
    private static func reduced(
        _ terms: [NoiseModel.Term], _ part: AllanCurvePart, _ whitening: Whitening
    ) -> Candidate? {
        guard var kept = solved(terms, part, whitening) else { return nil }
        while kept.terms.count > 1 {
            let fewer = kept.terms.compactMap { left in solved(kept.terms.filter { $0 != left }, part, whitening) }
            guard let next = fewer.min(by: { $0.squaredDistance < $1.squaredDistance }),
                next.squaredDistance < kept.squaredDistance + NoiseLimits.minimumGain
            else { return kept }
            kept = next
        }
        return kept
    }

    private static func solved(
        _ terms: [NoiseModel.Term], _ part: AllanCurvePart, _ whitening: Whitening
    ) -> Candidate? {
        let problem = NoiseProblem(part: part, terms: terms, whitening: whitening)
        guard let solution = try? LeastSquares.solve(problem, from: problem.start) else { return nil }
        var model = NoiseModel()
        for (index, term) in terms.enumerated() { model[term] = exp(solution.parameters[index]) }
        return Candidate(
            model: model, terms: terms,
            // The standard deviations are halved, because the parameters are logarithms of squares.
            uncertainties: terms.indices.map { index in
                let variance = solution.unscaledCovariance(index, index)
                return solution.isDetermined && variance > 0 ? variance.squareRoot() / 2 : .infinity
            },
            distances: solution.residuals, logDeterminant: whitening.logDeterminant)
    }
}

/// Part of an Allan curve that a fit uses.
struct AllanCurvePart {
    let clusters: [Int]
    let variances: [Double]
    let freedoms: [Double]
    let interval: Double
    let duration: Double
    let taus: [Double]

    init(clusters: [Int], variances: [Double], freedoms: [Double], interval: Double, duration: Double) {
        self.clusters = clusters
        self.variances = variances
        self.freedoms = freedoms
        self.interval = interval
        self.duration = duration
        taus = clusters.map { Double($0) * interval }
    }

    /// Covariance of the logarithms if the points are independent. A variance with ν degrees of freedom has the
    /// relative variance 2/ν.
    var independent: [Double] {
        var result = [Double](repeating: 0, count: taus.count * taus.count)
        for index in taus.indices { result[index * taus.count + index] = 2 / freedoms[index] }
        return result
    }

    /// Covariance of the logarithms that follows from the spectrum of a model. A ramp r has no spectrum, but its sum
    /// with the noise n is uncertain: in (r + n)², the part n² + 2·r·n is random, and correlated like n².
    func covariance(_ model: NoiseModel, _ shared: AllanCovariance) -> [Double] {
        var noise = model
        noise[.rateRamp] = 0
        var result = shared.logarithmic(noise, variances: taus.map(noise.allanVariance))
        let shares = taus.map { tau in
            let share = noise.allanVariance(tau) / model.allanVariance(tau)
            return (share * share + 2 * share * (1 - share)).squareRoot()
        }
        for i in taus.indices {
            for j in taus.indices { result[i * taus.count + j] *= shares[i] * shares[j] }
        }
        return result
    }

    /// Covariance with additional terms, which make it invertible and allow for model errors.
    func widened(_ covariance: [Double]) -> [Double] {
        var result = covariance
        for index in taus.indices {
            let place = index * taus.count + index
            result[place] += NoiseLimits.ownShare * covariance[place] + NoiseLimits.modelVariance
        }
        return result
    }
}

/// Least-squares problem of the fit. Its parameters are the logarithms of the squared coefficients.
private struct NoiseProblem: LeastSquaresProblem {
    let part: AllanCurvePart
    let terms: [NoiseModel.Term]
    let whitening: Whitening

    var residualCount: Int { part.taus.count }

    /// Initial parameters. Each process is as large as the curve permits without the others.
    var start: [Double] {
        terms.map { term in
            log(part.taus.indices.map { part.variances[$0] / term.allanVariance(part.taus[$0]) }.min() ?? 1)
        }
    }

    private func shares(_ parameters: [Double], at tau: Double) -> [Double] {
        terms.indices.map { exp(parameters[$0]) * terms[$0].allanVariance(tau) }
    }

    func residuals(at parameters: [Double], into residuals: inout [Double]) {
        for (index, tau) in part.taus.enumerated() {
            residuals[index] = log(part.variances[index] / shares(parameters, at: tau).reduce(0, +))
        }
        whitening.apply(to: &residuals)
    }

    func jacobian(at parameters: [Double], into jacobian: inout ResidualJacobian) {
        let points = part.taus.map { shares(parameters, at: $0) }
        for column in terms.indices {
            var derivatives = points.map { -$0[column] / $0.reduce(0, +) }
            whitening.apply(to: &derivatives)
            for row in derivatives.indices { jacobian[row, column] = derivatives[row] }
        }
    }
}
