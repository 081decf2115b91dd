import Primitives
import TestSupport

/// What a page must hold to for those who cannot see it, use no mouse, or have a small screen; measured in the browser.
struct PageAudit: Sendable {
    let browser: Browser

    /// WCAG 2.2, 1.4.3: the contrast of every text against what is behind it, computed from computed styles. Names those
    /// below 4.5, or 3 where the text is large.
    func faintTexts() async throws -> [String] {
        let answer = try await browser.run(
            """
            const channels = (c) => (c.match(/[\\d.]+/g) || []).map(Number);
            const over = (top, under) => {
              const a = top.length > 3 ? top[3] : 1;
              return [0, 1, 2].map((i) => top[i] * a + under[i] * (1 - a));
            };
            const background = (element) => {
              const layers = [];
              for (let e = element; e; e = e.parentElement) {
                const c = channels(getComputedStyle(e).backgroundColor);
                layers.push(c);
                if ((c.length > 3 ? c[3] : 1) === 1) break;
              }
              const dark = matchMedia('(prefers-color-scheme: dark)').matches;
              return layers.reverse().reduce((under, top) => over(top, under), dark ? [18, 18, 18] : [255, 255, 255]);
            };
            const luminance = (c) => {
              const [r, g, b] = c.map((v) => v / 255).map((v) => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
              return .2126 * r + .7152 * g + .0722 * b;
            };
            const faint = [];
            let measured = 0;
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            const elements = new Set(document.querySelectorAll('input:not([type=hidden]):not([type=checkbox])'));
            while (walker.nextNode()) {
              const node = walker.currentNode;
              if (node.data.trim() && node.parentElement.checkVisibility({visibilityProperty: true})) {
                elements.add(node.parentElement);
              }
            }
            for (const element of elements) {
              if (['SCRIPT', 'STYLE'].includes(element.tagName)) continue;
              measured += 1;
              const style = getComputedStyle(element);
              const under = background(element);
              const [a, b] = [luminance(over(channels(style.color), under)), luminance(under)].sort((x, y) => y - x);
              const ratio = (a + .05) / (b + .05);
              const size = parseFloat(style.fontSize);
              const large = size >= 24 || (size >= 18.66 && parseInt(style.fontWeight) >= 700);
              if (ratio < (large ? 3 : 4.5)) faint.push(element.textContent.trim() + ' ' + ratio.toFixed(2));
            }
            return measured ? faint : ['nothing was measured'];
            """)
        return (answer.array ?? ["no answer"]).compactMap(\.string)
    }

    /// Elements whose right edge is beyond the window.
    func overflowing() async throws -> [String] {
        let answer = try await browser.run(
            """
            const width = document.documentElement.clientWidth;
            const wide = [...document.querySelectorAll('body *')].filter((e) =>
              !e.closest('.table, iframe') && e.checkVisibility() && e.getBoundingClientRect().right > width + .5);
            const names = wide.map((e) => e.tagName + ' ' + e.className + ' ' + e.getBoundingClientRect().right);
            if (document.documentElement.scrollWidth > width) names.push('scrolls to ' + document.documentElement.scrollWidth);
            return names;
            """)
        return (answer.array ?? ["no answer"]).compactMap(\.string)
    }

    /// The levels of the headings in their order.
    func headingLevels() async throws -> [Int64] {
        let answer = try await browser.run(
            "return [...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map((e) => Number(e.tagName[1]))")
        return (answer.array ?? []).compactMap(\.int64)
    }

    /// Everything that can be pressed or filled in, in the order of the document, without what nobody sees.
    func controls() async throws -> [BrowserElement] {
        var visible: [BrowserElement] = []
        for element in try await browser.findAll("a[href], button, input:not([type=hidden]), textarea, summary") {
            if try await element.isDisplayed { visible.append(element) }
        }
        return visible
    }

    /// Presses Tab until the keyboard has left the page, and returns where it was.
    func keyboardOrder(atMost limit: Int) async throws -> [BrowserElement] {
        _ = try await browser.run("document.activeElement?.blur(); window.getSelection().removeAllRanges()")
        _ = try await browser.run(
            "document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex')")
        var order: [BrowserElement] = []
        for _ in 0..<limit {
            try await browser.press(.tab)
            let element = try await browser.activeElement
            let tag = try await element.property("tagName").string ?? ""
            if tag == "BODY" || tag == "HTML" { break }
            if order.contains(where: { $0.isSame(as: element) }) { break }
            order.append(element)
        }
        return order
    }
}
