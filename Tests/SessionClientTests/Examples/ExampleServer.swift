import HTTPMessages
import OAuth
import Primitives

/// A server for the examples: it knows every login of one user, rotates refresh tokens, and has an API beside it.
enum ExampleServer {
    static let issuer = "https://id.example"

    static func make(_ time: any WallClock) -> ScriptedServer {
        ScriptedServer { request in
            switch request.head.path?.prefix(while: { $0 != "?" }) {
            case "/.well-known/openid-configuration": .json(metadata)
            case "/token": token(request.form, time)
            case "/device": .json(device)
            case "/revoke": .status(200)
            case "/resource": .status(request[.authorization] == nil ? 401 : 200)
            default: .status(404)
            }
        }
    }

    private static let metadata = """
        {"issuer":"\(issuer)","authorization_endpoint":"\(issuer)/authorize","token_endpoint":"\(issuer)/token",
        "device_authorization_endpoint":"\(issuer)/device","revocation_endpoint":"\(issuer)/revoke",
        "end_session_endpoint":"\(issuer)/logout","code_challenge_methods_supported":["S256"]}
        """
    private static let device = """
        {"device_code":"d","user_code":"WDJB-MJHT","verification_uri":"https://id.example/device","expires_in":600}
        """

    private static func token(_ form: FormParameters, _ time: any WallClock) -> ScriptedReply {
        let number: Int
        switch form["grant_type"] {
        case "refresh_token": number = (Int(form["refresh_token"]?.dropFirst() ?? "") ?? 0) + 1
        default: number = 1
        }
        return .json(
            #"{"access_token":"a\#(number)","token_type":"Bearer","expires_in":3600,"refresh_token":"r\#(number)"}"#)
    }
}
