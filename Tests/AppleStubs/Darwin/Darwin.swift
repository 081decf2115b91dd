// swift-format-ignore-file
// What the session client uses of the C library of Apple's platforms, as the Swift importer shows it there and as far as it is
// used. Nothing here does anything: it is there for the compiler alone.

public typealias errno_t = Int32
public typealias mode_t = UInt16
public typealias dev_t = Int32
public typealias ino_t = UInt64
public typealias uid_t = UInt32
public typealias off_t = Int64
public typealias socklen_t = UInt32
public typealias sa_family_t = UInt8
public typealias in_port_t = UInt16
public typealias in_addr_t = UInt32
public typealias nfds_t = UInt32
public typealias sigset_t = UInt32

public var errno: Int32 { get { fatalError() } set {} }
public var EPERM: Int32 { 1 }
public var ENOENT: Int32 { 2 }
public var EINTR: Int32 { 4 }
public var EACCES: Int32 { 13 }
public var EEXIST: Int32 { 17 }
public var ENOTDIR: Int32 { 20 }
public var ENOSPC: Int32 { 28 }
public var EAGAIN: Int32 { 35 }
public var ECONNABORTED: Int32 { 53 }
public var ELOOP: Int32 { 62 }
public func strerror(_ __errnum: Int32) -> UnsafeMutablePointer<CChar>! { fatalError() }

// Memory, chance, time.
@discardableResult public func memcpy(
    _ __dst: UnsafeMutableRawPointer!, _ __src: UnsafeRawPointer!, _ __n: Int
) -> UnsafeMutableRawPointer! { fatalError() }
@discardableResult public func memset_s(
    _ __s: UnsafeMutableRawPointer!, _ __smax: Int, _ __c: Int32, _ __n: Int
) -> errno_t { fatalError() }
public func arc4random_buf(_ __buf: UnsafeMutableRawPointer!, _ __nbytes: Int) { fatalError() }
public struct timespec {
    public var tv_sec: Int
    public var tv_nsec: Int
    public init() { fatalError() }
}
public struct clockid_t: RawRepresentable, Equatable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}
public var CLOCK_REALTIME: clockid_t { clockid_t(rawValue: 0) }
@discardableResult public func clock_gettime(_ __clock_id: clockid_t, _ __tp: UnsafeMutablePointer<timespec>!) -> Int32 { fatalError() }

// Files.
public var O_RDONLY: Int32 { 0 }
public var O_RDWR: Int32 { 2 }
public var O_NONBLOCK: Int32 { 4 }
public var O_NOFOLLOW: Int32 { 0x100 }
public var O_CREAT: Int32 { 0x200 }
public var O_EXCL: Int32 { 0x800 }
public var O_DIRECTORY: Int32 { 0x100000 }
public var O_CLOEXEC: Int32 { 0x1000000 }
public var AT_FDCWD: Int32 { -2 }
public var AT_SYMLINK_NOFOLLOW: Int32 { 0x20 }
public var S_IFMT: mode_t { 0o170000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFREG: mode_t { 0o100000 }
public var F_SETFD: Int32 { 2 }
public var F_GETFL: Int32 { 3 }
public var F_SETFL: Int32 { 4 }
public var F_FULLFSYNC: Int32 { 51 }
public var FD_CLOEXEC: Int32 { 1 }
public struct stat {
    public var st_dev: dev_t
    public var st_mode: mode_t
    public var st_ino: ino_t
    public var st_uid: uid_t
    public var st_mtimespec: timespec
    public var st_size: off_t
    public init() { fatalError() }
}
public struct dirent {
    public var d_name: (CChar, CChar)
}
public struct DIR {}
@discardableResult public func mkdir(_: UnsafePointer<CChar>!, _: mode_t) -> Int32 { fatalError() }
public func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { fatalError() }
public func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 { fatalError() }
@discardableResult public func close(_: Int32) -> Int32 { fatalError() }
public func fcntl(_ fd: Int32, _ cmd: Int32) -> Int32 { fatalError() }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ value: Int32) -> Int32 { fatalError() }
@discardableResult public func fdopendir(_: Int32) -> UnsafeMutablePointer<DIR>! { fatalError() }
@discardableResult public func readdir(_: UnsafeMutablePointer<DIR>!) -> UnsafeMutablePointer<dirent>! { fatalError() }
@discardableResult public func closedir(_: UnsafeMutablePointer<DIR>!) -> Int32 { fatalError() }
@discardableResult public func read(_: Int32, _: UnsafeMutableRawPointer!, _: Int) -> Int { fatalError() }
@discardableResult public func write(_ __fd: Int32, _ __buf: UnsafeRawPointer!, _ __nbyte: Int) -> Int { fatalError() }
@discardableResult public func pread(_ __fd: Int32, _ __buf: UnsafeMutableRawPointer!, _ __nbyte: Int, _ __offset: off_t) -> Int { fatalError() }
@discardableResult public func pwrite(_ __fd: Int32, _ __buf: UnsafeRawPointer!, _ __nbyte: Int, _ __offset: off_t) -> Int { fatalError() }
@discardableResult public func fsync(_: Int32) -> Int32 { fatalError() }
@discardableResult public func fchmod(_: Int32, _: mode_t) -> Int32 { fatalError() }
@discardableResult public func linkat(_: Int32, _: UnsafePointer<CChar>!, _: Int32, _: UnsafePointer<CChar>!, _: Int32) -> Int32 { fatalError() }
@discardableResult public func renameat(_: Int32, _: UnsafePointer<CChar>!, _: Int32, _: UnsafePointer<CChar>!) -> Int32 { fatalError() }
@discardableResult public func unlinkat(_: Int32, _: UnsafePointer<CChar>!, _: Int32) -> Int32 { fatalError() }
@discardableResult public func fstat(_: Int32, _: UnsafeMutablePointer<stat>!) -> Int32 { fatalError() }
@discardableResult public func fstatat(_: Int32, _: UnsafePointer<CChar>!, _: UnsafeMutablePointer<stat>!, _: Int32) -> Int32 { fatalError() }
@discardableResult public func geteuid() -> uid_t { fatalError() }
@discardableResult public func pipe(_: UnsafeMutablePointer<Int32>!) -> Int32 { fatalError() }

// Sockets.
public var AF_INET: Int32 { 2 }
public var AF_INET6: Int32 { 30 }
public var SOCK_STREAM: Int32 { 1 }
public var SOL_SOCKET: Int32 { 0xffff }
public var SO_NOSIGPIPE: Int32 { 0x1022 }
public var IPPROTO_IPV6: Int32 { 41 }
public var IPV6_V6ONLY: Int32 { 27 }
public var SHUT_WR: Int32 { 1 }
public var POLLIN: Int32 { 1 }
public struct in_addr {
    public var s_addr: in_addr_t
    public init(s_addr: in_addr_t) { self.s_addr = s_addr }
}
public struct in6_addr: Sendable {
    init() {}
}
public let in6addr_loopback = in6_addr()
public struct sockaddr {}
public struct sockaddr_in {
    public var sin_len: UInt8
    public var sin_family: sa_family_t
    public var sin_port: in_port_t
    public var sin_addr: in_addr
    public init() { fatalError() }
}
public struct sockaddr_in6 {
    public var sin6_len: UInt8
    public var sin6_family: sa_family_t
    public var sin6_port: in_port_t
    public var sin6_flowinfo: UInt32
    public var sin6_addr: in6_addr
    public var sin6_scope_id: UInt32
    public init() { fatalError() }
}
public struct pollfd {
    public var fd: Int32
    public var events: Int16
    public var revents: Int16
    public init(fd: Int32, events: Int16, revents: Int16) { (self.fd, self.events, self.revents) = (fd, events, revents) }
}
@discardableResult public func socket(_: Int32, _: Int32, _: Int32) -> Int32 { fatalError() }
@discardableResult public func setsockopt(_: Int32, _: Int32, _: Int32, _: UnsafeRawPointer!, _: socklen_t) -> Int32 { fatalError() }
@discardableResult public func bind(_: Int32, _: UnsafePointer<sockaddr>!, _: socklen_t) -> Int32 { fatalError() }
@discardableResult public func listen(_: Int32, _: Int32) -> Int32 { fatalError() }
@discardableResult public func accept(_: Int32, _: UnsafeMutablePointer<sockaddr>!, _: UnsafeMutablePointer<socklen_t>!) -> Int32 { fatalError() }
@discardableResult public func getsockname(_: Int32, _: UnsafeMutablePointer<sockaddr>!, _: UnsafeMutablePointer<socklen_t>!) -> Int32 { fatalError() }
@discardableResult public func send(_: Int32, _: UnsafeRawPointer!, _: Int, _: Int32) -> Int { fatalError() }
@discardableResult public func shutdown(_: Int32, _: Int32) -> Int32 { fatalError() }
@discardableResult public func poll(_: UnsafeMutablePointer<pollfd>!, _: nfds_t, _: Int32) -> Int32 { fatalError() }

// Threads.
public struct _opaque_pthread_t {}
public struct pthread_attr_t {}
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
public var SIG_BLOCK: Int32 { 1 }
@discardableResult public func pthread_create(
    _: UnsafeMutablePointer<pthread_t?>!, _: UnsafePointer<pthread_attr_t>?,
    _: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?
) -> Int32 { fatalError() }
@discardableResult public func pthread_detach(_: pthread_t) -> Int32 { fatalError() }
@discardableResult public func sigfillset(_: UnsafeMutablePointer<sigset_t>!) -> Int32 { fatalError() }
@discardableResult public func pthread_sigmask(
    _: Int32, _: UnsafePointer<sigset_t>?, _: UnsafeMutablePointer<sigset_t>?
) -> Int32 { fatalError() }
