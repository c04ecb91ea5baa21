/** A timeline as one HTML page that needs nothing else: no scripts of others, no fonts, no network; pure. */
import type { StepKind, Timeline, TimelineStep } from './timeline.ts';
import { seconds } from './trace-text.ts';

/** The page. Whatever the recording holds is text on it, never markup. */
export function toTracePage(timeline: Timeline): string {
  const { command, started, steps, length, totals } = timeline;
  const title = `${command}, ${started}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${asText(title)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${asText(command)}</h1>
<p>${asText(started)}, ${seconds(length)}</p>
<dl>
${Object.entries({
  'model calls': totals.modelCalls,
  'tool calls': totals.toolCalls,
  messages: totals.messages,
  'input tokens': totals.inputTokens,
  'output tokens': totals.outputTokens,
})
  .map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`)
  .join('\n')}
</dl>
</header>
<main>
<ol>
${steps.map(step => toItem(step, length)).join('\n')}
</ol>
</main>
</body>
</html>
`;
}

function toItem(step: TimelineStep, length: number): string {
  const { kind, title, from, to, failed, details } = step;
  const scale = length === 0 ? 1 : length;
  const left = ((from / scale) * 100).toFixed(3);
  const width = Math.max((((to ?? length) - from) / scale) * 100, 0.3).toFixed(3);
  const took = to === undefined ? 'never ended' : to === from ? '' : seconds(to - from);
  return (
    `<li class="${kind}${failed ? ' failed' : ''}"><details><summary>` +
    `<time>${seconds(from)}</time><b>${names[kind]}</b><span class="title">${asText(title)}</span><i>${took}</i>` +
    `<span class="track"><span style="left:${left}%;width:${width}%"></span></span></summary>` +
    `${toDetails(details)}</details></li>`
  );
}

function toDetails(details: Readonly<Record<string, unknown>>): string {
  return Object.entries(details)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `<h2>${asText(name)}</h2><pre>${asText(show(value))}</pre>`)
    .join('');
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}

const names: Readonly<Record<StepKind, string>> = {
  run: 'run',
  model: 'model',
  tool: 'tool',
  message: 'message',
  note: 'note',
};

function asText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

const style = `
:root{color-scheme:light dark;--ink:#1d2327;--paper:#fff;--faint:#6b7280;--line:#e5e7eb;--run:#9ca3af;--model:#7c3aed;--tool:#0f766e;--message:#2563eb;--note:#b45309;--failed:#dc2626}
@media (prefers-color-scheme:dark){:root{--ink:#e5e7eb;--paper:#15181b;--faint:#9ca3af;--line:#2a2f35;--model:#a78bfa;--tool:#2dd4bf;--message:#60a5fa;--note:#fbbf24;--failed:#f87171}}
body{margin:0 auto;max-width:72rem;padding:1.5rem;font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
h1{margin:0;font-size:1.4rem}
p{margin:.2rem 0 1rem;color:var(--faint)}
dl{display:flex;flex-wrap:wrap;gap:1.5rem;margin:0 0 1.5rem}
dt{color:var(--faint);font-size:.8rem}
dd{margin:0;font-size:1.2rem;font-variant-numeric:tabular-nums}
ol{list-style:none;margin:0;padding:0;border-top:1px solid var(--line)}
li{border-bottom:1px solid var(--line)}
summary{display:grid;grid-template-columns:5rem 5rem minmax(8rem,1fr) 6rem 14rem;gap:.5rem;padding:.35rem 0;cursor:pointer;align-items:center}
summary::-webkit-details-marker{display:none}
time,i{color:var(--faint);font-style:normal;font-variant-numeric:tabular-nums;text-align:right}
b{font-weight:600;color:var(--kind)}
.title{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.track{position:relative;height:.6rem;background:var(--line);border-radius:.3rem;overflow:hidden}
.track span{position:absolute;top:0;bottom:0;background:var(--kind);border-radius:.3rem}
.run{--kind:var(--run)}.model{--kind:var(--model)}.tool{--kind:var(--tool)}.message{--kind:var(--message)}.note{--kind:var(--note)}
.failed{--kind:var(--failed)}
h2{margin:.5rem 0 .2rem;font-size:.85rem;color:var(--faint)}
pre{margin:0 0 .5rem;padding:.6rem;overflow:auto;max-height:24rem;background:color-mix(in srgb,var(--line) 45%,transparent);border-radius:.3rem;white-space:pre-wrap;overflow-wrap:anywhere}
@media (max-width:44rem){summary{grid-template-columns:4.5rem 4.5rem 1fr}.track,i{display:none}}
`.trim();
