import Documents
import Varlink
import WaymarkInterface

extension ClientDocument {
    /// The document of a call, given either as text or as a file.
    init(_ text: String?, _ descriptor: Int?, _ call: Call) throws(VarlinkError) {
        switch (text, descriptor) {
        case (let text?, nil): self = .bytes(Array(text.utf8))
        case (nil, let index?): self = .file(try call.descriptor(index))
        default: throw .invalidParameter("document")
        }
    }
}

extension EncodedPolyline.Precision {
    /// Returns nil if the call gives no precision.
    init?(decimals: Int?) throws(VarlinkError) {
        guard let decimals else { return nil }
        guard let precision = Self(rawValue: decimals) else { throw .invalidParameter("precision") }
        self = precision
    }
}

extension RouteFormat {
    init(_ format: SceneInterface.RouteFormat) {
        switch format {
        case .osrm: self = .osrm
        case .valhalla: self = .valhalla
        case .mapbox: self = .mapbox
        case .google: self = .google
        case .geojson: self = .geojson
        case .gpx: self = .gpx
        case .polyline5: self = .polyline5
        case .polyline6: self = .polyline6
        }
    }
}
