import Persistence
import Scene
import Varlink
import WaymarkInterface

/// The part of `org.waymark.Scene` about the active filter of places and the saved filters.
final class FilterMethods {
    private let repository: PlaceRepository
    private let candidates: PlaceCandidates
    var settings: SceneSettings.Places {
        didSet { candidates.apply(settings) }
    }

    /// Longest name of a filter. Unit: UTF-8 bytes.
    private static let maximumNameLength = 100

    init(repository: PlaceRepository, candidates: PlaceCandidates, settings: SceneSettings.Places) {
        self.repository = repository
        self.candidates = candidates
        self.settings = settings
        repository.perform {
            try $0.filterInUse()
        } then: { [weak self] result in
            self?.restore(result)
        }
    }

    /// Activates the filter that was active when the daemon ended.
    private func restore(_ stored: Result<PlaceFilter?, any Error>) {
        guard case .success(let filter?) = stored, filter.problem(settings) == nil else { return }
        candidates.filter = filter
    }

    func getFilter(_ call: Call) {
        call.reply(json: SceneInterface.GetFilter.Reply(filter: candidates.filter.message()))
    }

    func setFilter(_ request: SceneInterface.SetFilter, _ call: Call) throws(VarlinkError) {
        let present = candidates.filter
        let filter = PlaceFilter(
            kinds: request.kinds ?? present.kinds, radiusMetres: request.radius ?? present.radiusMetres,
            favoritesOnly: request.favoritesOnly ?? present.favoritesOnly)
        try filter.check(settings)
        if let name = request.name {
            guard (1...Self.maximumNameLength).contains(name.utf8.count) else { throw .invalidParameter("name") }
        }
        repository.perform { store in
            try store.use(filter, savingAs: request.name)
        } then: { [candidates] result in
            switch result {
            case .success(true):
                candidates.filter = filter
                call.reply(json: SceneInterface.SetFilter.Reply(filter: filter.message()))
            case .success(false): call.fail(.limitExceeded(.filters, PlaceStore.maximumFilterCount))
            case .failure(let error): call.fail(VarlinkError(store: error))
            }
        }
    }

    func useFilter(_ request: SceneInterface.UseFilter, _ call: Call) {
        let (name, settings) = (request.name, settings)
        repository.perform { store -> PlaceFilter? in
            guard let filter = try store.filter(named: name), filter.problem(settings) == nil else { return nil }
            return try store.use(filter) ? filter : nil
        } then: { [candidates] result in
            switch result {
            case .success(let filter?):
                candidates.filter = filter
                call.reply(json: SceneInterface.UseFilter.Reply(filter: filter.message()))
            case .success(nil): call.fail(.noSuchFilter(name))
            case .failure(let error): call.fail(VarlinkError(store: error))
            }
        }
    }

    func removeFilter(_ request: SceneInterface.RemoveFilter, _ call: Call) {
        repository.perform { store in
            try store.removeFilter(named: request.name)
        } then: { result in
            switch result {
            case .success(true): call.reply()
            case .success(false): call.fail(.noSuchFilter(request.name))
            case .failure(let error): call.fail(VarlinkError(store: error))
            }
        }
    }

    func listFilters(_ call: Call) {
        repository.perform {
            try $0.savedFilters()
        } then: { result in
            call.reply(result) { saved in
                SceneInterface.ListFilters.Reply(filters: saved.map { $0.filter.message(name: $0.name) })
            }
        }
    }
}

extension VarlinkError {
    fileprivate static func noSuchFilter(_ name: String) -> VarlinkError {
        VarlinkError(SceneInterface.Failure.noSuchFilter(name: name))
    }
}
