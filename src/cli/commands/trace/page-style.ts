/** How a trace page looks: light and dark, wide and narrow, on paper; no script, so filters are checkboxes. */

export const pageStyle: string = `
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#f5f6f8;--faint:#646c78;--line:#e3e6ea;--call:#475569;--run:#475569;--command:#475569;--model:#7c3aed;--tool:#0f766e;--server:#0369a1;--request:#2563eb;--notice:#2563eb;--note:#a16207;--bad:#c81e1e;--badsoft:#fdf0ef;--good:#15803d}
@media (prefers-color-scheme:dark){:root{--ink:#e4e7eb;--paper:#14171a;--soft:#1c2024;--faint:#98a1ad;--line:#2b3138;--call:#94a3b8;--run:#94a3b8;--command:#94a3b8;--model:#a78bfa;--tool:#2dd4bf;--server:#38bdf8;--request:#7aa5f8;--notice:#7aa5f8;--note:#eab308;--bad:#f87171;--badsoft:#2c1b1c;--good:#4ade80}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:80rem;padding:1.25rem;font:14px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper);overflow-wrap:anywhere}
h1{margin:0;font-size:1.3rem;line-height:1.25}
header>p{margin:.15rem 0 1rem;color:var(--faint)}
a{color:inherit}
.outcome{border-left:4px solid var(--good);background:var(--soft);padding:.7rem 1rem;border-radius:.25rem;margin:0 0 1rem}
.outcome.failed{border-color:var(--bad);background:var(--badsoft)}
.outcome.open{border-color:var(--note)}
.outcome h2{margin:0;font-size:1.05rem}
.failed.outcome h2{color:var(--bad)}
.outcome p{margin:.35rem 0 0}
.outcome ul{margin:.25rem 0 0;padding:0;list-style:none}
.outcome li{margin:.2rem 0}
.why{font-weight:600;white-space:pre-wrap}
.outcome .label{color:var(--faint)}
.told{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.2rem .9rem;margin:0 0 1rem}
.told dt{color:var(--faint)}
.told dd{margin:0;white-space:pre-wrap;max-height:9rem;overflow:auto}
.totals{display:flex;flex-wrap:wrap;gap:.3rem 1.6rem;margin:0 0 1rem}
.totals div{display:flex;gap:.4rem;align-items:baseline}
.totals dt{color:var(--faint);order:2}
.totals dd{margin:0;font-size:1.15rem;font-weight:600;font-variant-numeric:tabular-nums}
fieldset{display:flex;flex-wrap:wrap;gap:.3rem 1rem;border:0;margin:0 0 .4rem;padding:0}
label{cursor:pointer;padding:.15rem 0;white-space:nowrap}
label b{font-weight:600;color:var(--kind)}
input{accent-color:var(--kind,var(--bad));margin:0 .35rem 0 0;vertical-align:-1px}
ol{list-style:none;margin:0;padding:0;border-top:1px solid var(--line)}
li.step{border-bottom:1px solid var(--line)}
.row,.axis{display:grid;grid-template-columns:4.6rem minmax(0,1fr) 5rem minmax(8rem,26%);gap:.2rem .8rem;align-items:center}
.axis{position:sticky;top:0;z-index:1;background:var(--paper);color:var(--faint);padding:.3rem 0;font-size:.85em}
.axis span:last-child{display:flex;justify-content:space-between}
.row{padding:.3rem 0;cursor:pointer}
.row::-webkit-details-marker{display:none}
.row::marker{content:''}
.row:hover{background:var(--soft)}
.row:focus-visible{outline:2px solid var(--request);outline-offset:-2px}
time,.took{color:var(--faint);font-variant-numeric:tabular-nums;text-align:right;white-space:nowrap}
.what{display:flex;gap:.5rem;min-width:0;padding-left:calc(var(--depth)*1.1rem);align-items:baseline}
.what b{flex:none;font-weight:600;color:var(--kind)}
.title{flex:0 1 auto;max-width:60%;font-weight:500;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.said{flex:1 1 4rem;min-width:0;color:var(--faint);overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.tokens{flex:none;color:var(--faint);font-size:.85em;font-variant-numeric:tabular-nums}
.track{position:relative;height:.65rem;background:linear-gradient(90deg,var(--line) 1px,transparent 1px) 0 0/25% 100%,var(--soft);border-radius:.2rem}
.bar{position:absolute;top:0;bottom:0;min-width:3px;background:var(--kind);border-radius:.2rem}
.open .bar{background:repeating-linear-gradient(135deg,var(--kind) 0 5px,transparent 5px 9px)}
.call{--kind:var(--call)}.run{--kind:var(--run)}.command{--kind:var(--command)}.model{--kind:var(--model)}.tool{--kind:var(--tool)}.server{--kind:var(--server)}.request{--kind:var(--request)}.notice{--kind:var(--notice)}.note{--kind:var(--note)}
.step.call,.step.run{background:var(--soft)}.step.call .title,.step.run .title{font-weight:600}
.step.failed{--kind:var(--bad);background:var(--badsoft)}
.step.failed .said{color:var(--bad)}
.step:target{box-shadow:inset 3px 0 0 var(--bad)}
.inside{padding:.2rem 0 .8rem;margin-left:5.4rem}
.inside h3{margin:.6rem 0 .2rem;font-size:.85em;font-weight:600;color:var(--faint)}
.inside h3.error{color:var(--bad)}
pre{margin:0;padding:.5rem .7rem;overflow:auto;max-height:26rem;background:var(--soft);border:1px solid var(--line);border-radius:.25rem;font:12.5px/1.45 ui-monospace,monospace;white-space:pre-wrap}
footer{color:var(--faint);margin-top:1rem}
@media (max-width:48rem){body{padding:.8rem}.row,.axis{grid-template-columns:3.9rem minmax(0,1fr) 4.3rem;gap:.2rem .5rem}.axis{display:none}.track{grid-column:1/-1;height:.4rem}.what{flex-wrap:wrap;gap:0 .4rem;padding-left:calc(var(--depth)*.6rem)}.title{max-width:100%}.said{flex-basis:100%}.inside{margin-left:0}}
@media print{.row:hover{background:none}fieldset{display:none}pre{max-height:none}}
`.trim();
