// What `make bench` measures inside one process; bench.py runs it and puts the figures beside their limits.
//
//     pawl-bench [--seconds N] [--json] ROW...
//     pawl-bench --json --directory DIR --group N sqlite-commits sqlite-commits-in-place
//     pawl-bench --json --directory DIR --clients N sqlite-rotations
//     pawl-bench --directory DIR --families N sqlite-fill
//     pawl-bench --directory DIR --tokens N sqlite-tokens

import Glibc

var seconds = 1.0
var json = false
var names: [String] = []
var order = StoreRows.Order()
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
    switch argument {
    case "--json": json = true
    case "--seconds":
        guard let text = arguments.popFirst(), let value = Double(text), value > 0 else { exit(64) }
        seconds = value
    case "--directory": order.directory = arguments.popFirst() ?? ""
    case "--group":
        guard let text = arguments.popFirst(), let value = Double(text), value >= 1 else { exit(64) }
        order.group = value
    case "--families", "--tokens", "--clients":
        guard let text = arguments.popFirst(), let value = Int(text), value > 0 else { exit(64) }
        switch argument {
        case "--families": order.families = value
        case "--tokens": order.tokens = value
        default: order.clients = value
        }
    default: names.append(argument)
    }
}
if names == ["sqlite-fill"] {
    try await StoreRows.fill(order)
    exit(0)
}
if names == ["sqlite-tokens"] {
    for token in try StoreRows.tokens(order) { print(token) }
    exit(0)
}
if names.isEmpty { names = SignatureRows.names + SignatureRows.others + TokenRows.names + SessionRows.names }
var rows: [Measurement] = []
for name in names {
    if name == "sqlite-rotations" {
        rows += try await StoreRows.rotations(order, seconds: seconds)
        continue
    }
    var measured = try SignatureRows.measure(name, seconds: seconds) ?? TokenRows.measure(name, seconds: seconds)
    if measured == nil { measured = try await SessionRows.measure(name, seconds: seconds) }
    if measured == nil, [StoreRows.commits, StoreRows.commitsInPlace].contains(name) {
        measured = try StoreRows.commits(order, seconds: seconds, inPlace: name == StoreRows.commitsInPlace)
    }
    guard let row = measured else {
        print("pawl-bench: there is no row \(name)")
        exit(64)
    }
    rows.append(row)
    if !json { print("\(name) \(Int(row.perSecond))") }
}
if json { print("{" + rows.map { "\"\($0.name)\":\($0.perSecond)" }.joined(separator: ",") + "}") }
