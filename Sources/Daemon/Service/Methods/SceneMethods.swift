import Varlink
import WaymarkInterface

/// `org.waymark.Scene`: hands each call to the type that implements it.
struct SceneMethods {
    let view: SceneViewMethods
    let anchors: AnchorMethods
    let places: PlaceMethods
    let filters: FilterMethods
    let transfers: PlaceTransferMethods
    let routes: RouteMethods
    let navigation: NavigationMethods
    let frames: FrameMethods
    let ahead: AheadMethods
    let estimates: EstimateMethods

    func answer(_ request: SceneInterface.Call, _ call: Call) throws(VarlinkError) {
        switch request {
        case .subscribe(let request): try view.subscribe(request, call)
        case .getScene(let request): try view.getScene(request, call)
        case .pick(let request): try view.pick(request, call)
        case .placeAnchor(let request): try anchors.place(request, call)
        case .removeAnchor(let request): try anchors.remove(request, call)
        case .listAnchors: anchors.list(call)
        case .getAhead(let request): try ahead.getAhead(request, call)
        case .searchPlaces(let request): try places.search(request, call)
        case .nearPlaces(let request): try places.near(request, call)
        case .getPlace(let request): places.getPlace(request, call)
        case .setFavorite(let request): places.setFavorite(request, call)
        case .importPlaces(let request): try transfers.importPlaces(request, call)
        case .exportPlaces(let request): try transfers.exportPlaces(request, call)
        case .getFilter: filters.getFilter(call)
        case .setFilter(let request): try filters.setFilter(request, call)
        case .useFilter(let request): filters.useFilter(request, call)
        case .removeFilter(let request): filters.removeFilter(request, call)
        case .listFilters: filters.listFilters(call)
        case .setRoute(let request): try routes.set(request, call)
        case .clearRoute: routes.clear(call)
        case .navigateTo(let request): try navigation.navigate(request, call)
        case .reroute: try navigation.reroute(call)
        case .serveNavigation(let request): try navigation.serve(request, call)
        case .answerNavigation(let request): try navigation.answer(request, call)
        case .getRoute(let request): try routes.get(request, call)
        case .subscribeFrame: frames.subscribe(call)
        case .explain(let request): try frames.explain(request, call)
        case .estimateAt(let request): try estimates.estimate(request, call)
        }
    }
}
