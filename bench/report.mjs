/** Figures as Markdown: the method, the tables, and the same as JSON. Pure. */
import { subjects as known } from './subject.mjs';

export const median = values => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** Half of what lies between the quarters, as a share of the median: how far the rounds are apart. */
const spreadOf = values => {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share => sorted[Math.round((sorted.length - 1) * share)];
  return (at(0.75) - at(0.25)) / 2 / median(values);
};

/** One row of medians: what it took, and how often the floor's it is. `samples`: subject → [{ value, perSecond? }]. */
export function summarize(row, samples) {
  const subjects = {};
  for (const [subject, taken] of Object.entries(samples)) {
    // Rounds are compared with their own floor: what else the machine does meets both alike.
    const ratios = taken.map((sample, round) => sample.value / samples.floor[round].value);
    subjects[subject] = {
      value: median(taken.map(sample => sample.value)),
      ratio: median(ratios),
      spread: spreadOf(ratios),
      ...(taken[0].perSecond === undefined
        ? {}
        : { perSecond: median(taken.map(sample => sample.perSecond)) }),
    };
  }
  return { name: row.name, unit: row.unit ?? 'µs', aim: row.aim, most: row.most, subjects };
}

const fixed = (value, digits = 1) => value.toFixed(value >= 100 ? 0 : digits);

/** Values are microseconds, except bytes. */
const shown = (value, unit) =>
  unit === 'B'
    ? `${Math.round(value)} B`
    : unit === 'ms'
      ? `${fixed(value / 1000)} ms`
      : `${fixed(value)} µs`;

function cell(subject, { value, ratio }, unit) {
  const figure = shown(value, unit);
  return subject === 'floor' || unit === 'B' ? figure : `${figure}, ${fixed(ratio, 2)}x`;
}

/** The subjects that any of the rows has, in the order of the report. */
const among = summaries =>
  Object.keys(known).filter(subject => summaries.some(({ subjects }) => subject in subjects));

const line = cells => `| ${cells.join(' | ')} |`;

export function printTable(summaries) {
  const columns = among(summaries);
  const lines = summaries.map(({ name, unit, aim, most, subjects }) => {
    const cells = columns.map(subject => (subjects[subject] ? cell(subject, subjects[subject], unit) : '–'));
    const aimed = most === undefined ? (aim === undefined ? '–' : `${aim}x`) : shown(most, unit);
    return line([name, ...cells, aimed]);
  });
  return [
    line(['', ...columns.map(subject => known[subject].label), 'aim']),
    `|${'---|'.repeat(columns.length + 2)}`,
    ...lines,
  ].join('\n');
}

/** What is installed and bundled. `sizes`: [{ subject, packages, megabytes, server, client }], kilobytes of bundles. */
export function printSizes(sizes) {
  const bundle = found => (found === undefined ? '–' : `${fixed(found.start)} / ${fixed(found.all)}`);
  const lines = sizes.map(({ subject, packages, megabytes, server, client }) =>
    line([known[subject].label, packages, fixed(megabytes), bundle(server), bundle(client)]),
  );
  return [
    '| | packages | MB | server’s bundle: at start / all, KB | client’s bundle: at start / all, KB |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

export function printPage(summaries, sizes, { node, cores, rounds, when }) {
  return `# What a call costs

CPU time of the measured process, all its threads, and how often that of the floor it is. Printed by \`npm run bench\`;
figures differ between machines and days, so read the ratios.

## The figures

${printTable(summaries)}

Node ${node}, ${cores} cores, ${rounds} rounds, ${when}.

## What is installed, and what a bundle holds

${printSizes(sizes)}

Bundles are made by esbuild, minified and with splitting: a stdio server with two tools, and a client on stdio and HTTP.

## The method

- **floor**: JSON-RPC by hand on the streams of Node and on bare \`node:http\`, with the same two tools and nothing checked
  ([bench/floor](../bench/floor/)). No library can be below it by much.
- The others are the published packages, pinned, each installed in a folder of its own under
  [bench/peers](../bench/peers/). mcp-lite has no stdio: there the floor's line reader stands around its dispatcher.
- A call is one \`tools/call\` of a tool that gives back 100 bytes. Every answer is looked at.
- Servers are loaded by a client by hand in another process and report their own \`process.cpuUsage()\`; clients call the
  floor's server and do the same. A third of the calls goes before as a warm-up.
- The first answers of five servers are the one row in wall time.
- Subjects take turns within a round, each time in a fresh process. The ratio is the median of the rounds' ratios; the
  figure is the median of the rounds. The data below has the spread: half of what lies between the quarters of the ratios.
- A heap is measured after a full collection, before and after 1,000 clients have opened a session each.
- No test fails by time. What is stable (bytes allocated for a call, files loaded, bytes of bundles) is held by
  \`npm run bench:guard\`.

Run a part with \`npm run bench -- --only "stdio client"\`, a rough look with \`--quick\`; \`--write\` puts the result here.

## As data

\`\`\`json
${JSON.stringify({ rows: summaries.map(rounded), sizes }, null, 1)}
\`\`\`
`;
}

function rounded({ name, unit, subjects }) {
  const entries = Object.entries(subjects).map(([subject, { value, ratio, spread, perSecond }]) => [
    subject,
    {
      value: Number((unit === 'ms' ? value / 1000 : value).toFixed(2)),
      ratio: Number(ratio.toFixed(2)),
      spread: Number(spread.toFixed(2)),
      ...(perSecond === undefined ? {} : { perSecond: Math.round(perSecond) }),
    },
  ]);
  return { name, unit, ...Object.fromEntries(entries) };
}
