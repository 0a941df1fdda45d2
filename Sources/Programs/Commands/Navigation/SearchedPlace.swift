import Scene
import WaymarkInterface

extension SceneInterface.Place: NamedPlace {
    /// Whether the wearer has marked the place as a favourite.
    public var isFavorite: Bool { favorite }
}
