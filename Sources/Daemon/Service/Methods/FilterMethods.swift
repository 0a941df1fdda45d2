import Persistence
import Scene
import Varlink
import WaymarkInterface

/// The part of `org.waymark.Scene` about the active filter of places and the saved filters.
struct FilterMethods {
    let repository: PlaceRepository
    let candidates: PlaceCandidates

    /// Longest name of a filter. Unit: UTF-8 bytes.
    private static let maximumNameLength = 100

    /// Activates the filter that was active when the daemon ended.
    func restore() {
        repository.perform {
            try $0.filterInUse()
        } then: { [candidates] stored in
            guard case .success(let filter?) = stored, filter.problem(candidates.settings) == nil else { return }
            candidates.filter = filter
        }
    }

    func getFilter(_ call: Call) {
        call.reply(json: SceneInterface.GetFilter.Reply(filter: candidates.filter.message()))
    }

    func setFilter(_ request: SceneInterface.SetFilter, _ call: Call) throws(VarlinkError) {
        let present = candidates.filter
        let filter = PlaceFilter(
            kinds: request.kinds ?? present.kinds, radiusMetres: request.radius ?? present.radiusMetres,
            favoritesOnly: request.favoritesOnly ?? present.favoritesOnly)
        try filter.check(candidates.settings)
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
        let (name, settings) = (request.name, candidates.settings)
        repository.perform { store -> PlaceFilter? in
            guard let filter = try store.filter(named: name), filter.problem(settings) == nil else { return nil }
            return try store.use(filter) ? filter : nil
        } then: { [candidates] result in
            call.reply(result, orElse: .noSuchFilter(name)) { filter in
                candidates.filter = filter
                return SceneInterface.UseFilter.Reply(filter: filter.message())
            }
        }
    }

    func removeFilter(_ request: SceneInterface.RemoveFilter, _ call: Call) {
        repository.perform { store in
            try store.removeFilter(named: request.name)
        } then: { result in
            call.reply(result, orElse: .noSuchFilter(request.name))
        }
    }

    func listFilters(_ call: Call) {
        repository.perform {
            try $0.savedFilters()
        } then: { result in
            call.reply(result, VarlinkError.init(store:)) { saved in
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
