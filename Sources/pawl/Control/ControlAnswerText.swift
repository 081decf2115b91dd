import Primitives

/// An answer of the control API as a command prints it: as it came, or for eyes.
struct ControlAnswerText {
    let answer: [UInt8]
    let list: ControlTable?
    let member: String?
    let asJSON: Bool

    func print(to console: Console) throws(CommandFailure) {
        guard !answer.isEmpty else {
            if asJSON { try console.print("{}") }
            return
        }
        guard let json = try? JSON(parsing: answer.span) else {
            return try console.print(String(decoding: answer, as: UTF8.self), terminator: "")
        }
        if asJSON { return try console.print(json.text()) }
        guard let object = json.object else { return try console.print(ControlText.short(json)) }
        if let member, let text = object[member]?.string {
            try console.print(text)
        } else if let list, let rows = object[list.member]?.array {
            try console.print(list.text(of: rows), terminator: "")
        } else {
            try console.print(ControlText.lines(object), terminator: "")
        }
    }
}
