import Linux
import Scene
import Web

/// Pictures of places in a folder of this computer. Their file names are those in the details of the places.
struct PictureFiles: Sendable {
    /// Path below which the pictures are served.
    static let path = "/pictures/"
    let folder: String

    /// Maximum size of a picture. Unit: bytes.
    private static let maximumSize = 16 << 20

    func response(to request: WebRequest) -> WebResponse {
        guard let picture = PictureName(request.path.dropFirst(Self.path.count)) else {
            return WebResponse(
                status: 404,
                text: "pictures are named by letters, digits and -_. and end with .jpg, .png, .webp, .avif or .gif")
        }
        let file = WholeFile(path: "\(folder)/\(picture.text)")
        do throws(WholeFile.Unreadable) {
            guard let content = try file.read(maximumLength: Self.maximumSize) else {
                return WebResponse(status: 404, text: "there is no picture \(picture.text) in \(folder)")
            }
            guard content.count <= Self.maximumSize else {
                return WebResponse(status: 413, text: "\(picture.text) is larger than \(Self.maximumSize >> 20) MiB")
            }
            return WebResponse(type: picture.mediaType, body: content)
        } catch {
            return WebResponse(status: 404, text: "\(picture.text) cannot be read: \(error)")
        }
    }
}
