import HTTPMessages
import HTTPWire

/// Responses that leave in another manner than whole, because somebody tests what a client makes of it.
extension ServerConnection {
    /// Writes a response as its delivery says. Those before it go out first.
    func deliver(_ response: ServerResponse, _ delivery: ResponseDelivery) {
        deliveries.append(delivery)
        if delivery.manner == .dropped {
            flush()
            return close()
        }
        let start = output.bytes.count
        guard write(response) else { return }
        switch delivery.manner {
        case .whole, .dropped: break
        case .cut(let contentBytes): return cut(response, keeping: contentBytes)
        case .repeated: output.bytes.append(contentsOf: Array(output.bytes[start...]))
        }
        finishAnswering()
    }

    /// The head has said how long the content is, so that no client can take what comes for the whole.
    private func cut(_ response: ServerResponse, keeping wanted: Int?) {
        if case .bytes(let bytes) = response.body, sendsContent(of: response) {
            let kept = min(wanted ?? bytes.count / 2, max(bytes.count - 1, 0))
            output.bytes.removeLast(bytes.count - kept)
        }
        flush()
        close()
    }

    /// The socket has taken all that there was, or takes nothing any more.
    func tellDeliveries() {
        let gone = deliveries
        deliveries = []
        for delivery in gone { delivery.gone() }
    }
}
