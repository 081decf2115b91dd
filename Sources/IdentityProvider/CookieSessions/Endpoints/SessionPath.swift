import HTTPMessages
import OAuth

/// An endpoint of sessions in cookies: it decides by itself whose pages may read its answers.
protocol SessionPath: Endpoint {
    var desk: SessionDesk { get }
}

extension SessionPath {
    var isPublic: Bool { false }

    /// A browser that asks ahead (Fetch section 4.8) says nothing of the client. It may ask for any, and the answer itself
    /// says which origin may read it.
    func admitReader(of response: inout ServerResponse, to request: ServerRequest, by policy: CrossOrigin) {
        guard request.head.method == .options else { return }
        SessionReaders.admit(desk.origins, to: &response, of: request)
    }

    func advertise(in metadata: inout ServerMetadata) {}
}
