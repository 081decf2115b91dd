import Cookies
import Testing

/// The algorithm of publicsuffix.org, by the cases of its own test file that are about the rules that ship.
@Suite struct PublicSuffixTests {
    @Test(arguments: [
        "com", "co.uk", "jp", "ac.jp", "kyoto.jp", "ide.kyoto.jp", "c.kobe.jp", "ck", "test.ck", "us", "ak.us",
        "k12.ak.us",
        "xn--85x722f.com.cn", "xn--55qx5d.cn", "github.io", "example", "localhost", "unheard-of",
    ])
    func isForEverybody(_ domain: String) {
        // 食狮.com.cn belongs to somebody: the suffix is com.cn.
        #expect(PublicSuffixList.shipped.contains(domain) == (domain != "xn--85x722f.com.cn"))
    }

    @Test(arguments: [
        "example.com", "example.co.uk", "city.kobe.jp", "www.ck", "www.www.ck", "b.c.kobe.jp", "user.github.io",
        "a.b.unheard-of", "127.0.0.1", "::1", "", ".com", "com.", "a..com",
    ])
    func isSomebodys(_ domain: String) {
        #expect(!PublicSuffixList.shipped.contains(domain))
    }

    @Test(
        arguments: [
            ("com", nil), ("example.com", "example.com"), ("a.b.example.com", "example.com"),
            ("b.example.co.uk", "example.co.uk"),
            ("test.ck", nil), ("b.test.ck", "b.test.ck"), ("www.ck", "www.ck"), ("www.www.ck", "www.ck"),
            ("kobe.jp", "kobe.jp"),
            ("c.kobe.jp", nil), ("b.c.kobe.jp", "b.c.kobe.jp"), ("city.kobe.jp", "city.kobe.jp"),
            ("www.city.kobe.jp", "city.kobe.jp"), ("k12.ak.us", nil), ("test.k12.ak.us", "test.k12.ak.us"),
            ("shishi.xn--55qx5d.cn", "shishi.xn--55qx5d.cn"), ("xn--55qx5d.cn", nil), ("localhost", nil),
            ("10.0.0.1", nil),
        ] as [(String, String?)])
    func hasOneOwner(_ host: String, _ domain: String?) {
        #expect(PublicSuffixList.shipped.registrableDomain(of: host) == domain)
    }

    @Test func canBeReplaced() {
        let list = PublicSuffixList(
            rules: """
                // A comment, and a rule with something behind it.
                example   // not a rule
                *.wild.example
                !tame.wild.example
                公司.cn
                BÜCHER.example\r
                """)
        #expect(list.contains("example") && list.contains("a.wild.example") && !list.contains("tame.wild.example"))
        #expect(list.contains("xn--55qx5d.cn") && list.contains("xn--bcher-kva.example"))
        #expect(!list.contains("co.uk") && list.contains("uk"), "nothing of the one that ships")
    }

    /// RFC 3492 section 7.1.
    @Test(arguments: [
        ("ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"), ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
        ("Pročprostěnemluvíčesky", "proprostnemluvesky-uyb24dma41a"),
        ("なぜみんな日本語を話してくれないのか", "n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa"),
        ("3年b組金八先生", "3b-ww4c5e180e575a65lsy2b"), ("ひとつ屋根の下2", "2-u9tlzr9756bt3uc0v"),
    ])
    func readsRulesInAllAlphabets(_ label: String, _ ascii: String) {
        #expect(PublicSuffixList(rules: "\(label).example").contains("xn--\(ascii).example"))
    }
}
