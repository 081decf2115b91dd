import Foundation
import Testing
import WebKitGTKSurface

/// The processes that WebKit has started for this one. Nobody else's are ever touched.
enum EngineProcess: String {
    case content = "WebKitWebProces"
    case network = "WebKitNetworkPr"

    /// Those that run now. Between them and this process there may be the ones that lock them up.
    var running: [pid_t] {
        let own = getpid()
        return Self.all.filter { $0.name == rawValue && Self.descends($0.pid, from: own) }.map(\.pid)
    }

    /// Ends them as a system does that has no memory left.
    func kill() {
        for pid in running { Glibc.kill(pid, SIGKILL) }
    }

    private static var all: [(pid: pid_t, name: String)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.compactMap { pid in
            stat(of: pid).map { (pid, $0.name) }
        }
    }

    /// The name stands in parentheses, the state behind it, then the parent. What has ended and waits to be collected is not running.
    private static func stat(of pid: pid_t) -> (name: String, parent: pid_t)? {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")")
        else { return nil }
        let rest = text[text.index(after: close)...].split(separator: " ")
        guard rest.count > 1, rest[0] != "Z", let parent = pid_t(rest[1]) else { return nil }
        return (String(text[text.index(after: open)..<close]), parent)
    }

    private static func descends(_ pid: pid_t, from ancestor: pid_t) -> Bool {
        var pid = pid
        while pid > 1 {
            if pid == ancestor { return true }
            guard let next = stat(of: pid)?.parent else { return false }
            pid = next
        }
        return false
    }
}

/// Ends it as a system does that has no memory left, and waits until it is gone.
@GLibActor
func killNetworkProcess() async {
    let killed = EngineProcess.network.running
    #expect(killed.count == 1)
    EngineProcess.network.kill()
    await eventually("it ends") { Set(EngineProcess.network.running).isDisjoint(with: killed) }
}
