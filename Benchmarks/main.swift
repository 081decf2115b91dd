// What `make bench` measures inside one process; bench.py runs it and puts the figures beside their limits.
//
//     pawl-bench [--seconds N] [--json] ROW...

import Glibc

var seconds = 1.0
var json = false
var names: [String] = []
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
    switch argument {
    case "--json": json = true
    case "--seconds":
        guard let text = arguments.popFirst(), let value = Double(text), value > 0 else { exit(64) }
        seconds = value
    default: names.append(argument)
    }
}
if names.isEmpty { names = SignatureRows.names + SignatureRows.others + TokenRows.names + SessionRows.names }
var rows: [Measurement] = []
for name in names {
    var measured = try SignatureRows.measure(name, seconds: seconds) ?? TokenRows.measure(name, seconds: seconds)
    if measured == nil { measured = try await SessionRows.measure(name, seconds: seconds) }
    guard let row = measured else {
        print("pawl-bench: there is no row \(name)")
        exit(64)
    }
    rows.append(row)
    if !json { print("\(name) \(Int(row.perSecond))") }
}
if json { print("{" + rows.map { "\"\($0.name)\":\($0.perSecond)" }.joined(separator: ",") + "}") }
