/// How the pages look: one style for all, in the page itself, light and dark.
enum PageStyle {
    static let hash = ContentPolicy.hash(of: source)

    /// A pawl in the tooth of a ratchet.
    static let mark = "M12 2a10 10 0 1 0 10 10h-4a6 6 0 1 1-6-6V2Zm3 0v7h7a10 10 0 0 0-7-7Z"

    static let icon: StaticString = """
        data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Cpath fill='%233b6ef0' \
        d='M12 2a10 10 0 1 0 10 10h-4a6 6 0 1 1-6-6V2Zm3 0v7h7a10 10 0 0 0-7-7Z'/%3E%3C/svg%3E
        """

    static let source: StaticString = """

        :root {
          color-scheme: light dark;
          --ground: #f4f5f7; --card: #ffffff; --line: #dcdfe5; --field: #868e9c;
          --ink: #181b20; --soft: #565d69; --accent: #2456d6; --accent-strong: #1b46b4; --on-accent: #ffffff;
          --hover: #f1f4fb; --tint: #e8eefc; --on-tint: #1d479f;
          --alarm: #a3161c; --alarm-ground: #fdf0f0; --alarm-line: #efc4c5;
          --good: #17633a; --good-ground: #e6f4ec;
          --shadow: 0 1px 2px rgb(20 25 40 / 5%), 0 8px 28px rgb(20 25 40 / 6%);
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --ground: #101216; --card: #191c22; --line: #2d323b; --field: #737c8b;
            --ink: #e9ebef; --soft: #a5adba; --accent: #9dbbff; --accent-strong: #bdd1ff; --on-accent: #0e1a36;
            --hover: #21252d; --tint: #24304c; --on-tint: #bdd1ff;
            --alarm: #ffb3b1; --alarm-ground: #36191b; --alarm-line: #64292c;
            --good: #8fdbae; --good-ground: #173325;
            --shadow: none;
          }
        }
        *, *::before, *::after { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; }
        body {
          margin: 0; min-height: 100vh; min-height: 100dvh; padding: 2.5rem 1rem;
          display: flex; flex-direction: column; align-items: center; justify-content: center;
          background: var(--ground); color: var(--ink);
          font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif;
          overflow-wrap: anywhere;
        }
        :lang(ko) body, body:lang(ko) {
          font-family: system-ui, -apple-system, "Apple SD Gothic Neo", "Malgun Gothic", "Noto Sans KR",
            "Noto Sans CJK KR", sans-serif;
          word-break: keep-all;
        }
        body:lang(ja) {
          font-family: system-ui, -apple-system, "Hiragino Sans", "Yu Gothic UI", Meiryo, "Noto Sans JP",
            "Noto Sans CJK JP", sans-serif;
          line-break: strict; word-break: auto-phrase;
        }
        h1, h2, p, ul, dl, dd, fieldset, pre { margin: 0; padding: 0; border: 0; }
        ul { list-style: none; }
        a { color: var(--accent); text-underline-offset: .2em; }
        a:hover { color: var(--accent-strong); }
        strong { font-weight: 600; }
        code, pre, .code { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono",
          "DejaVu Sans Mono", monospace; }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }

        .brand {
          width: 100%; max-width: 26rem; margin-bottom: 1.25rem; display: flex; align-items: center;
          justify-content: center; gap: .5rem; font-weight: 600; color: var(--soft);
        }
        .brand svg { flex: none; width: 1.25rem; height: 1.25rem; fill: var(--accent); }
        main {
          width: 100%; max-width: 26rem; padding: 2rem; background: var(--card); border: 1px solid var(--line);
          border-radius: 1rem; box-shadow: var(--shadow);
        }
        .foot {
          width: 100%; max-width: 26rem; margin-top: 1.25rem; text-align: center; font-size: .8125rem;
          color: var(--soft); text-wrap: balance;
        }
        .wide .brand, .wide .foot, .wide main { max-width: 46rem; }
        .wide .brand { justify-content: flex-start; }

        h1 { font-size: 1.5rem; line-height: 1.3; font-weight: 650; letter-spacing: -.01em; text-wrap: balance; }
        h2 { font-size: .875rem; line-height: 1.4; font-weight: 600; color: var(--soft); }
        :lang(ko) h1, :lang(ja) h1 { letter-spacing: 0; font-weight: 700; }
        .lead { margin-top: .375rem; color: var(--soft); text-wrap: pretty; }
        .lead strong { color: var(--ink); }
        .small { font-size: .875rem; color: var(--soft); }
        .small strong { color: var(--ink); }
        .below { margin-top: 1.5rem; }

        .notice {
          margin-top: 1.25rem; padding: .75rem 1rem; border: 1px solid var(--alarm-line); border-radius: .625rem;
          background: var(--alarm-ground); color: var(--alarm); font-size: .9375rem;
        }
        form { margin-top: 1.5rem; }
        .field { margin-top: 1rem; }
        form > .field:first-of-type, h2 + .field { margin-top: 0; }
        label { display: block; font-size: .875rem; font-weight: 600; }
        .field label { margin-bottom: .375rem; }
        .hint { margin-top: .5rem; font-size: .8125rem; color: var(--soft); }
        input:not([type=checkbox]), textarea {
          width: 100%; min-height: 2.875rem; padding: .5625rem .75rem; border: 1px solid var(--field);
          border-radius: .625rem; background: var(--card); color: var(--ink); font: inherit;
        }
        input:focus-visible, textarea:focus-visible { outline-offset: -1px; }
        input[aria-invalid], textarea[aria-invalid] { border-color: var(--alarm); }
        textarea { min-height: 7rem; resize: vertical; font-size: .875rem; line-height: 1.5; }
        input.code, textarea.code { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas,
          "Liberation Mono", "DejaVu Sans Mono", monospace; }
        input.code { font-size: 1.25rem; letter-spacing: .12em; text-align: center; text-transform: uppercase; }

        .actions { margin-top: 1.5rem; display: flex; flex-wrap: wrap; gap: .75rem; }
        button { font: inherit; cursor: pointer; }
        .primary, .secondary {
          flex: 1 1 6rem; min-height: 2.875rem; padding: .5625rem .75rem; border-radius: .625rem; font-weight: 600;
          text-align: center; text-decoration: none;
        }
        button.primary, button.secondary { min-width: max-content; }
        .primary { border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); }
        .primary:hover { border-color: var(--accent-strong); background: var(--accent-strong); color: var(--on-accent); }
        .secondary { border: 1px solid var(--field); background: var(--card); color: var(--ink); }
        .secondary:hover { background: var(--hover); }
        .quiet {
          display: block; min-height: 2.25rem; margin: .75rem auto 0; padding: .25rem 1rem; border: 0;
          border-radius: .625rem; background: none; color: var(--soft); font-size: .9375rem; font-weight: 600;
        }
        .quiet:hover { background: var(--hover); color: var(--ink); }

        .people {
          margin-top: .625rem; max-height: 20.5rem; overflow-y: auto; border: 1px solid var(--line);
          border-radius: .75rem;
        }
        .people li + li { border-top: 1px solid var(--line); }
        .person, .self {
          display: flex; align-items: center; gap: .75rem; width: 100%; padding: .625rem .875rem; border: 0;
          background: none; color: var(--ink); text-align: start;
        }
        .person:hover { background: var(--hover); }
        .person:focus-visible { outline-offset: -3px; border-radius: .75rem; }
        .self { margin-top: 1.25rem; padding: .625rem .875rem; border: 1px solid var(--line); border-radius: .75rem; }
        .people .self { margin-top: 0; border: 0; }
        .avatar {
          flex: none; display: grid; place-items: center; width: 2.25rem; height: 2.25rem; border-radius: 50%;
          background: var(--tint); color: var(--on-tint); font-size: .9375rem; font-weight: 600; line-height: 1;
        }
        .who { min-width: 0; line-height: 1.4; }
        .name { display: block; font-weight: 600; }
        .note { display: block; font-size: .8125rem; color: var(--soft); }
        .another { padding-block: .875rem; font-weight: 600; color: var(--accent); }
        .divider {
          display: flex; align-items: center; gap: .875rem; margin: 1.5rem 0 1rem; font-size: .8125rem;
          font-weight: 400; color: var(--soft);
        }
        .divider::before, .divider::after { content: ""; flex: 1; border-top: 1px solid var(--line); }

        details { margin-top: 1.25rem; border: 1px solid var(--line); border-radius: .75rem; }
        summary { padding: .625rem .875rem; border-radius: .75rem; font-size: .875rem; font-weight: 600; cursor: pointer; }
        summary:hover { background: var(--hover); }
        details .field { margin: 0; padding: .25rem .875rem .875rem; }

        .scopes { margin-top: .625rem; border: 1px solid var(--line); border-radius: .75rem; }
        .scopes li + li { border-top: 1px solid var(--line); }
        .scope { display: flex; gap: .75rem; padding: .75rem .875rem; font-size: 1rem; font-weight: 400; }
        label.scope { cursor: pointer; }
        label.scope:hover { background: var(--hover); }
        .scopes li:first-child .scope { border-radius: .75rem .75rem 0 0; }
        .scopes li:last-child .scope { border-radius: 0 0 .75rem .75rem; }
        .scopes li:only-child .scope { border-radius: .75rem; }
        .scope input, .tick { flex: none; width: 1.125rem; height: 1.125rem; margin: .1875rem 0 0; accent-color: var(--accent); }
        .tick { fill: none; stroke: var(--soft); stroke-width: 2.5; stroke-linecap: round; stroke-linejoin: round; }
        .plain { margin-top: .375rem; font-size: .875rem; }

        .usercode {
          margin-top: .75rem; padding: .875rem; border-radius: .75rem; background: var(--tint); color: var(--on-tint);
          font-size: 1.75rem; line-height: 1.3; font-weight: 600; letter-spacing: .12em; text-align: center;
        }
        .seal {
          display: grid; place-items: center; width: 3rem; height: 3rem; margin-bottom: 1rem; border-radius: 50%;
          background: var(--good-ground);
        }
        .seal svg { width: 1.5rem; height: 1.5rem; fill: none; stroke: var(--good); stroke-width: 2.5;
          stroke-linecap: round; stroke-linejoin: round; }
        .seal.bad { background: var(--alarm-ground); }
        .seal.bad svg { stroke: var(--alarm); }

        .facts { margin-top: 1.5rem; border-top: 1px solid var(--line); }
        .facts > div { padding: .75rem 0; border-bottom: 1px solid var(--line); }
        dt { font-size: .8125rem; color: var(--soft); }
        dd { margin-top: .125rem; }
        dd code, dd.code { font-size: .875rem; }
        .links { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-top: 1.5rem; font-size: .8125rem; }
        .frames { position: absolute; width: 0; height: 0; border: 0; visibility: hidden; }

        .wide h2 { margin-top: 2rem; font-size: 1.0625rem; color: var(--ink); }
        .wide .facts { margin-top: .75rem; font-size: .875rem; }
        .wide .facts > div { padding: .625rem 0; }
        .wide dt { font-size: inherit; }
        @media (min-width: 44rem) {
          .wide .facts > div { display: grid; grid-template-columns: 17rem 1fr; gap: 1rem; }
          .wide dd { margin: 0; }
        }
        .wide h2 + .small { margin-top: .125rem; }
        .table { margin-top: .75rem; overflow-x: auto; border: 1px solid var(--line); border-radius: .75rem; }
        table { width: 100%; border-collapse: collapse; font-size: .875rem; }
        th, td { padding: .625rem .875rem; text-align: start; vertical-align: baseline; overflow-wrap: normal; }
        th { font-weight: 600; }
        thead th { font-size: .8125rem; color: var(--soft); }
        tbody tr > * { border-top: 1px solid var(--line); }
        .client { margin-top: 1rem; }
        .client .name { font-size: .9375rem; }
        pre {
          margin-top: .5rem; padding: .75rem .875rem; border-radius: .625rem; background: var(--ground);
          font-size: .8125rem; line-height: 1.6; white-space: pre-wrap;
        }
        @media (max-width: 26rem) {
          body { padding: 1.25rem .75rem; justify-content: flex-start; }
          main { padding: 1.5rem 1.25rem; }
          th, td { padding: .5rem; }
        }
        @media (prefers-reduced-motion: no-preference) {
          button, summary, a, label.scope { transition: background-color .12s, border-color .12s, color .12s; }
        }
        @media (forced-colors: active) {
          main, .primary, .avatar, .usercode { border: 1px solid; }
          .brand svg { fill: CanvasText; }
        }

        """
}
