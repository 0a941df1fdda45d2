extension WalkReport {
    /// Style sheet of the page, for light and dark screens and for paper. Colours are distinguishable without red and
    /// green.
    static let style: StaticString = """

        :root { color-scheme: light dark; --ink: #1c2430; --paper: #ffffff; --faint: #8a93a0; --grid: #e3e6ea;
          --a: #0b62c4; --b: #c2570c; --c: #6b3fa0; --fix: #5b6675; }
        @media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --paper: #14181e; --faint: #7d8794;
          --grid: #2b323b; --a: #6cb2ff; --b: #ffa45c; --c: #c3a2f0; --fix: #a9b4c2; } }
        body { margin: 2rem auto; max-width: 62rem; padding: 0 1rem; color: var(--ink); background: var(--paper);
          font: 15px/1.45 system-ui, sans-serif; }
        h1 { font-size: 1.5rem; overflow-wrap: anywhere; } h2 { font-size: 1.15rem; margin-top: 2rem; }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; }
        dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
        .warnings { border-left: .25rem solid var(--b); padding: .3rem 1.5rem; }
        .note { color: var(--faint); font-size: .85rem; }
        figure { margin: 1.5rem 0; } figcaption { margin-bottom: .4rem; }
        .key { margin-left: 1rem; white-space: nowrap; font-size: .85rem; }
        .key::before { content: ''; display: inline-block; width: .9rem; height: .2rem; margin-right: .35rem;
          vertical-align: middle; background: currentColor; }
        .key.a { color: var(--a); } .key.b { color: var(--b); } .key.c, .key.correction { color: var(--c); }
        .key.fix { color: var(--fix); }
        svg { width: 100%; height: auto; display: block; border: 1px solid var(--grid); }
        svg text { fill: var(--faint); font-size: 11px; } .end { text-anchor: end; } .middle { text-anchor: middle; }
        .line { fill: none; stroke-width: 1.6; stroke-linejoin: round; } .band { stroke: none; opacity: .18; }
        .line.a { stroke: var(--a); } .line.b { stroke: var(--b); } .line.c { stroke: var(--c); }
        .band.a { fill: var(--a); } .band.b { fill: var(--b); }
        .grid { stroke: var(--grid); fill: none; } .axis { stroke: var(--ink); stroke-width: 2; fill: none; }
        circle.accuracy { fill: var(--fix); fill-opacity: .06; stroke: none; } circle.fix { fill: var(--fix); }
        path.correction { fill: var(--c); fill-opacity: .75; stroke: var(--paper); stroke-width: .5; }
        .line.scene { stroke-dasharray: 6 3; }
        .moment { stroke: var(--c); fill: none; } .bar { fill: var(--a); opacity: .75; }
        table { border-collapse: collapse; width: 100%; font-size: .85rem; font-variant-numeric: tabular-nums; }
        th, td { text-align: right; padding: .15rem .5rem; border-bottom: 1px solid var(--grid); }
        th:last-child, td:last-child { text-align: left; } th { position: sticky; top: 0; background: var(--paper); }
        tr:target { outline: 2px solid var(--c); }
        @media print { body { max-width: none; } th { position: static; } }

        """
}
