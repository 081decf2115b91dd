import OAuth
import Primitives

/// The `claims` parameter means the same as a text and as JSON, and has an end.
enum ClaimsRequestProperties {
    static func check(_ input: Span<UInt8>) {
        guard let text = String(validating: input.array(), as: UTF8.self) else { return }
        let request: ClaimsRequest
        do throws(OAuthError) {
            request = try ClaimsRequest(parsing: text)
        } catch {
            require(error.code == .invalidRequest, "a request that is malformed is invalid")
            require(error.publicDescription.utf8.allSatisfy(OAuthCharacters.isDescriptionByte), "errors are plain text")
            require(error.publicDescription.utf8.count < 256, "errors repeat nothing of what was sent")
            return
        }
        guard let json = try? JSON(parsing: input) else { return require(false, "what was read is JSON") }
        require((try? ClaimsRequest(json)) == request, "a text and its JSON mean the same")
        require((try? ClaimsRequest(parsing: json.text())) == request, "the same again, as it is written")
        check(request.userinfo, json["userinfo"])
        check(request.idToken, json["id_token"])
    }

    private static func check(_ requests: ClaimRequests, _ json: JSON?) {
        require(requests.claims.count <= ClaimRequests.maximumCount, "a request has an end")
        require(requests.claims.count == json?.object?.count ?? 0, "every claim is asked for")
        for claim in requests.claims {
            require(requests[claim.name] == claim, "a claim is found under its name")
            require(claim.values.count <= ClaimRequest.maximumValueCount, "the values have an end")
            for value in claim.values { require(claim.permits(value), "what was asked for is permitted") }
            require(claim.isEssential == (json?[claim.name]?["essential"] == true), "essential is what says so")
            let other: JSON = ["a value that nobody asks for"]
            require(claim.permits(other) == (claim.values.isEmpty || claim.values.contains(other)), "nothing else is")
        }
    }
}
