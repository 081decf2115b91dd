import Foundation
import HTTPMessages
import HTTPWire
import Networking
import Primitives
import Testing

@Suite struct ServerRequestTests {
    static let get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test func answersARequest() async throws {
        try await withServer { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send("POST /p?q HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello")
                let response = try socket.receiveResponse()
                #expect(response.status == 200)
                #expect(response.body == "POST /p?q hello")
                #expect(response["content-type"] == "text/plain")
                #expect(response["connection"] == nil)
            }
        }
    }

    @Test func keepsTheConnection() async throws {
        try await withServer { server in
            try await onThread {
                let socket = try server.connect()
                for number in 0..<20 {
                    try socket.send("GET /\(number) HTTP/1.1\r\nHost: x\r\n\r\n")
                    #expect(try socket.receiveResponse().body == "GET /\(number) ")
                }
            }
            #expect(server.server.statistics.acceptedConnections == 1)
            #expect(server.server.statistics.requests == 20)
            #expect(server.server.statistics.responsesByClass == [0, 20, 0, 0, 0])
        }
    }

    @Test func answersARequestThatComesByteByByte() async throws {
        try await withServer { server in
            try await onThread {
                let socket = try server.connect()
                for byte in "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n".utf8
                {
                    try socket.send([byte])
                }
                #expect(try socket.receiveResponse().body == "POST / ab")
            }
        }
    }

    @Test func answersPipelinedRequestsInOrder() async throws {
        try await withServer { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send((0..<200).map { "GET /\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
                for number in 0..<200 { #expect(try socket.receiveResponse().body == "GET /\(number) ") }
            }
        }
    }

    @Test func answersPipelinedRequestsInOrderWhenTheFirstIsSlow() async throws {
        let gate = Gate()
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { request in
            if request.head.path == "/0" { await gate.wait() }
            return await TestServer.echo(request)
        }
        try await withServer(answer: answer) { server in
            let socket = try server.connect()
            try socket.send((0..<10).map { "GET /\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
            try await server.wait { $0.bytesReceived > 200 }
            #expect(server.server.statistics.requests == 0)
            await gate.open()
            try await onThread {
                for number in 0..<10 {
                    let response = try socket.receiveResponse()
                    #expect(response.body == "GET /\(number) ")
                }
            }
        }
    }

    @Test func aSlowHandlerHoldsUpNoOtherConnection() async throws {
        let gate = Gate()
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { request in
            if request.head.path == "/slow" { await gate.wait() }
            return await TestServer.echo(request)
        }
        try await withServer(answer: answer) { server in
            let slow = try server.connect()
            try slow.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
            try await server.wait { $0.bytesReceived > 0 }
            try await onThread {
                let socket = try server.connect()
                try socket.send(Self.get)
                #expect(try socket.receiveResponse().body == "GET /a ")
            }
            await gate.open()
            let body = try await onThread { try slow.receiveResponse().body }
            #expect(body == "GET /slow ")
        }
    }

    @Test func closesWhenAskedTo() async throws {
        try await withServer { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                let response = try socket.receiveResponse()
                #expect(response["connection"] == "close")
                #expect(response.body == "GET /a ")
                #expect(try socket.receiveAll() == "")
            }
        }
    }

    @Test func closesAfterAnOldRequest() async throws {
        try await withServer { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send("GET /a HTTP/1.0\r\n\r\n")
                #expect(try socket.receiveResponse()["connection"] == "close")
                #expect(try socket.receiveAll() == "")
            }
        }
    }

    @Test func keepsTheConnectionOfAnOldClientThatAsksForIt() async throws {
        try await withServer { server in
            try await onThread {
                let socket = try server.connect()
                for _ in 0..<2 {
                    try socket.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                    #expect(try socket.receiveResponse()["connection"] == "keep-alive")
                }
            }
        }
    }

    @Test func answersAClientThatHasFinishedSending() async throws {
        let gate = Gate()
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { request in
            await gate.wait()
            return await TestServer.echo(request)
        }
        try await withServer(answer: answer) { server in
            let socket = try server.connect()
            try socket.send(Self.get)
            socket.finishSending()
            try await server.wait { $0.bytesReceived > 0 }
            await gate.open()
            try await onThread {
                let response = try socket.receiveResponse()
                #expect(response.body == "GET /a ")
                #expect(try socket.receiveAll() == "")
            }
            try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test func survivesAClientThatGoesWhileItIsAnswered() async throws {
        let gate = Gate()
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { request in
            if request.head.path == "/gone" { await gate.wait() }
            return await TestServer.echo(request)
        }
        try await withServer(answer: answer) { server in
            let socket = try server.connect()
            try socket.send("GET /gone HTTP/1.1\r\nHost: x\r\n\r\n")
            try await server.wait { $0.bytesReceived > 0 }
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(socket.descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
            socket.close()
            // The reset is noticed before the handler is done.
            try await server.wait { $0.openConnections == 0 }
            await gate.open()
            try await onThread {
                let socket = try server.connect()
                try socket.send(Self.get)
                #expect(try socket.receiveResponse().status == 200)
            }
        }
    }

    @Test func sendsNoContentInAnswerToHead() async throws {
        try await withServer { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send("HEAD /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                let all = try socket.receiveAll()
                #expect(all.contains("Content-Length: 8\r\n"))
                #expect(all.hasSuffix("\r\n\r\n"))
            }
        }
    }

    @Test(arguments: [HTTPResponse.Status.noContent, .notModified])
    func sendsNoContentAndNoLength(_ status: HTTPResponse.Status) async throws {
        try await withServer(answer: { _ in ServerResponse(status: status, body: .bytes([1, 2, 3])) }) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                let all = try socket.receiveAll()
                #expect(!all.lowercased().contains("content-length"))
                #expect(all.hasSuffix("\r\n\r\n"))
            }
        }
    }

    @Test func sendsALengthOfZero() async throws {
        try await withServer(answer: { _ in ServerResponse(status: .ok) }) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send(Self.get)
                #expect(try socket.receiveResponse()["content-length"] == "0")
            }
        }
    }

    @Test func asksForContentThatTheClientHoldsBack() async throws {
        try await withServer { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
                #expect(try socket.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
                try socket.send("ab")
                #expect(try socket.receiveResponse().body == "POST / ab")
            }
        }
    }

    @Test func refusesContentThatTheClientHoldsBack() async throws {
        try await withServer(configure: { $0.limits.bodyBytes = 10 }) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n")
                #expect(try socket.receiveResponse().status == 413)
            }
        }
    }

    @Test func namesEveryRequest() async throws {
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { request in
            ServerResponse(status: .ok, body: .bytes(Array(request.id.utf8)))
        }
        try await withServer(answer: answer) { server in
            try await onThread {
                let socket = try server.connect()
                var seen: Set<String> = []
                for _ in 0..<50 {
                    try socket.send(Self.get)
                    let response = try socket.receiveResponse()
                    #expect(response["x-request-id"] == response.body)
                    #expect(response.body.utf8.count == 15)
                    seen.insert(response.body)
                }
                #expect(seen.count == 50)
            }
        }
    }

    @Test func datesResponsesByTheClockItIsGiven() async throws {
        // The example of RFC 9110 section 5.6.7.
        let clock = ManualClock(startingAt: Timestamp(secondsSinceEpoch: 784_111_777))
        try await withServer(clock: clock) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send(Self.get)
                #expect(try socket.receiveResponse()["date"] == "Sun, 06 Nov 1994 08:49:37 GMT")
                clock.advance(by: .seconds(3600 * 24 * 24))
                try socket.send(Self.get)
                #expect(try socket.receiveResponse()["date"] == "Wed, 30 Nov 1994 08:49:37 GMT")
            }
        }
    }

    @Test func tellsTheHandlerWhoAsks() async throws {
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { request in
            ServerResponse(status: .ok, body: .bytes(Array("\(request.peer)".utf8)))
        }
        try await withServer(answer: answer) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send(Self.get)
                let expected = ServerRequest.Peer(address: "127.0.0.1", isLoopback: true, isEncrypted: false)
                #expect(try socket.receiveResponse().body == "\(expected)")
            }
        }
    }

    @Test func refusesToSendAFieldThatIsTwo() async throws {
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { _ in
            ServerResponse(status: .ok, headerFields: [.location: "/\r\nSet-Cookie: a=b"])
        }
        try await withServer(answer: answer) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send(Self.get)
                let response = try socket.receiveResponse()
                #expect(response.status == 500)
                #expect(!response.head.contains("a=b"))
            }
        }
    }

    @Test func takesContentInAndOutThatFillsManyBuffers() async throws {
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { request in
            ServerResponse(status: .ok, body: .bytes(request.body + request.body))
        }
        try await withServer(configure: { $0.limits.bodyBytes = 4 << 20 }, answer: answer) { server in
            try await onThread {
                let socket = try server.connect()
                let body = String(repeating: "0123456789abcdef", count: 1 << 17)
                try socket.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
                #expect(try socket.receiveResponse().body == body + body)
            }
        }
    }
}
