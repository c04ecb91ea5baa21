/** A timeline as one HTML page that needs nothing else: no script, no fonts, no network; pure. */
import { count } from '../../print.ts';
import {
  causeLabels,
  describeOutcome,
  describeReason,
  describeSubject,
  gatherCauses,
  seconds,
  totalsOf,
} from './describe-outcome.ts';
import type { OutcomeStep } from './outcome.ts';
import { asText, toItem } from './page-step.ts';
import { pageStyle } from './page-style.ts';
import { textOf } from './read-value.ts';
import type { StepKind, TimelineStep } from './step.ts';
import type { Timeline } from './timeline.ts';

/** Steps on one page; of more, the first and the last, and between them what failed. */
const mostSteps = 4000;
const mostCauses = 6;
/** Of all values together, about: a recording may hold more than a browser can show. */
const mostCharacters = 8_000_000;

/** The page. Whatever the recording holds is text on it, never markup. */
export function toTracePage(timeline: Timeline): string {
  const { command, started, length, unread } = timeline;
  const { kept, left } = keepSteps(timeline.steps);
  const shown = new Set(kept.map(({ index }) => index));
  const opened = openedOf(timeline);
  const most = Math.min(Math.max(mostCharacters / kept.length, 2000), 20_000);
  const items = kept.map(({ step, index }) => {
    return toItem(step, index, { length, most, isOpen: opened.has(index) });
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${asText(`${command}: ${describeOutcome(timeline)}`)}</title>
<style>${pageStyle}
${filterStyle(timeline.steps)}</style>
</head>
<body>
<header>
<h1>${asText(command)}</h1>
<p>${asText(started.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\S*Z$/, '$1 $2 UTC'))}, ${seconds(length)}</p>
${toOutcome(timeline, shown)}
${toTold(timeline.steps)}
${toTotals(timeline)}
</header>
<main>
${toFilters(timeline.steps)}
<div class="axis" aria-hidden="true"><span></span><span></span><span></span><span>${axis(length)}</span></div>
<ol>
${items.join('\n')}
</ol>
</main>
${toFooter(left, unread.length)}
</body>
</html>
`;
}

function toOutcome(timeline: Timeline, shown: ReadonlySet<number>): string {
  const { state, subjects, about } = timeline.outcome;
  const causes = gatherCauses(timeline.outcome);
  const link = ({ step, index }: OutcomeStep): string => {
    const name = asText(describeSubject(step));
    return shown.has(index) ? `<a href="#step-${index + 1}">${name}</a>` : name;
  };
  const reasons = about.slice(0, mostCauses).map(each => {
    // Where there is one, it is the first row below.
    const where = subjects > 1 ? ` <span class="label">in</span> ${link(each)}` : '';
    return `<li><span class="why">${asText(describeReason(each))}</span>${where}</li>`;
  });
  const listed = causes.slice(0, mostCauses).map(({ first: each, times, reason }) => {
    const often = times > 1 ? `, ${times} times` : '';
    return `<li><span class="label">at ${seconds(each.step.from)}${often}</span> ${link(each)}${reason === '' ? '' : `: ${asText(reason)}`}</li>`;
  });
  const more = Math.max(causes.length - listed.length, 0) + Math.max(about.length - reasons.length, 0);
  return [
    `<section class="outcome ${state}"><h2>${asText(capitalize(describeOutcome(timeline)))}</h2>`,
    ...(reasons.length > 0 ? [`<ul>${reasons.join('')}</ul>`] : []),
    ...(listed.length > 0
      ? [`<p class="label">${capitalize(causeLabels[state])}:</p><ul class="causes">${listed.join('')}</ul>`]
      : []),
    ...(more > 0 ? [`<p class="label">and ${more.toLocaleString('en')} more below</p>`] : []),
    '</section>',
  ].join('\n');
}

/** What was asked and answered, where one run is all that there is. */
function toTold(steps: readonly TimelineStep[]): string {
  const [only, another] = steps.filter(
    ({ depth, kind }) => depth === 0 && (kind === 'run' || kind === 'call'),
  );
  if (only === undefined || another !== undefined) return '';
  const { prompt, answer } = only.details;
  const entries = Object.entries({ prompt: textOf(prompt), answer: textOf(answer) }).filter(
    ([, text]) => text !== '',
  );
  if (entries.length === 0) return '';
  const rows = entries.map(([name, text]) => `<dt>${name}</dt><dd>${asText(text.slice(0, 4000))}</dd>`);
  return `<dl class="told">${rows.join('')}</dl>`;
}

function toTotals(timeline: Timeline): string {
  const rows = totalsOf(timeline).map(([name, value]) => {
    return `<div><dt>${name}</dt><dd>${value.toLocaleString('en')}</dd></div>`;
  });
  return `<dl class="totals">${rows.join('')}</dl>`;
}

const filtered: readonly StepKind[] = ['model', 'tool', 'server', 'request', 'notice', 'note'];
/** Many, and what they say is mostly said by the steps around them. */
const ofTheWire: readonly StepKind[] = ['request', 'notice'];

function kindsOf(steps: readonly TimelineStep[]): readonly StepKind[] {
  return filtered.filter(kind => steps.some(step => step.kind === kind));
}

/** Without script: the boxes are looked at by the style. */
function toFilters(steps: readonly TimelineStep[]): string {
  const hasRuns = steps.some(({ kind }) => kind === 'model' || kind === 'tool');
  const boxes = kindsOf(steps).map(kind => {
    const number = steps.filter(step => step.kind === kind).length.toLocaleString('en');
    const checked = ofTheWire.includes(kind) && hasRuns ? '' : ' checked';
    return `<label class="${kind}"><input type="checkbox" id="show-${kind}"${checked}><b>${kind}s</b> ${number}</label>`;
  });
  const failed = steps.some(step => step.failed)
    ? ['<label><input type="checkbox" id="only-failed">only what failed</label>']
    : [];
  return `<fieldset aria-label="What is shown">${[...boxes, ...failed].join('')}</fieldset>`;
}

function filterStyle(steps: readonly TimelineStep[]): string {
  const rules = kindsOf(steps).map(
    kind => `body:has(#show-${kind}:not(:checked)) .step.${kind}:not(.kept,:target){display:none}`,
  );
  return [...rules, 'body:has(#only-failed:checked) .step:not(.failed,:target){display:none}'].join('\n');
}

/** What is read first when something failed: the innermost step that says why, and what it was for. */
function openedOf({ outcome: { state, about, causes } }: Timeline): ReadonlySet<number> {
  if (state === 'done') return new Set();
  const first = causes[0] ?? about[0];
  return new Set(first === undefined ? [] : [first.index]);
}

function keepSteps(steps: readonly TimelineStep[]): {
  readonly kept: readonly OutcomeStep[];
  readonly left: number;
} {
  const all = steps.map((step, index) => ({ step, index }));
  if (all.length <= mostSteps) return { kept: all, left: 0 };
  const edge = mostSteps / 4;
  const middle = all.slice(edge, -edge);
  const failed = middle.filter(({ step }) => step.failed).slice(0, mostSteps / 2);
  const kept = [...all.slice(0, edge), ...failed, ...all.slice(-edge)];
  return { kept, left: all.length - kept.length };
}

function axis(length: number): string {
  return [0, 0.25, 0.5, 0.75, 1].map(part => `<span>${seconds(Math.round(length * part))}</span>`).join('');
}

function toFooter(left: number, unread: number): string {
  const lines = [
    ...(left > 0
      ? [`${count(left, 'step')} in the middle are left out; <code>tenon trace</code> prints them all.`]
      : []),
    ...(unread > 0 ? [`${count(unread, 'line')} of the recording could not be read.`] : []),
  ];
  return lines.length === 0 ? '' : `<footer>${lines.map(line => `<p>${line}</p>`).join('')}</footer>`;
}

function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
