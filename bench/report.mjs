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

/**
 * One row of medians: what it took, and how often the floor's it is, where there is a floor. `samples`: subject →
 * [{ value, perSecond? }].
 */
export function summarize(row, samples) {
  const subjects = {};
  for (const [subject, taken] of Object.entries(samples)) {
    const values = taken.map(sample => sample.value);
    // Rounds are compared with their own floor: what else the machine does meets both alike.
    const ratios = samples.floor && values.map((value, round) => value / samples.floor[round].value);
    subjects[subject] = {
      value: median(values),
      ...(ratios ? { ratio: median(ratios) } : {}),
      spread: spreadOf(ratios ?? values),
      ...(taken[0].perSecond === undefined
        ? {}
        : { perSecond: median(taken.map(sample => sample.perSecond)) }),
    };
  }
  const { name, unit = 'µs', per = 'call', aim, most, beside, least } = row;
  return { name, unit, per, aim, most, beside, least, subjects };
}

/** What is aimed at in a row, in words, and whether ours is there; nothing where there is no aim. `all`: every row. */
function judge({ unit, aim, most, beside, least, subjects }, all) {
  const { ours } = subjects;
  if (aim !== undefined) return { aimed: `${aim}x`, met: ours && ours.ratio <= aim };
  if (most !== undefined) return { aimed: shown(most, unit), met: ours && ours.value <= most };
  if (least) {
    const others = Object.entries(subjects).filter(([name]) => name !== 'ours' && name !== 'floor');
    return { aimed: 'the least', met: ours && others.every(([, { value }]) => ours.value < value) };
  }
  if (beside === undefined) return undefined;
  const other = all.find(({ name }) => name === beside.row)?.subjects.ours;
  return {
    aimed: `${beside.aim}x of that beside few`,
    met: ours && other && ours.value <= beside.aim * other.value,
  };
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
  return subject === 'floor' || unit === 'B' || ratio === undefined
    ? figure
    : `${figure}, ${fixed(ratio, 2)}x`;
}

/** The subjects that any of the rows has, in the order of the report. */
const among = summaries =>
  Object.keys(known).filter(subject => summaries.some(({ subjects }) => subject in subjects));

const line = cells => `| ${cells.join(' | ')} |`;

export function printTable(summaries) {
  const columns = among(summaries);
  const lines = summaries.map(summary => {
    const { name, unit, subjects } = summary;
    const cells = columns.map(subject => (subjects[subject] ? cell(subject, subjects[subject], unit) : '–'));
    const verdict = judge(summary, summaries);
    return line([name, ...cells, verdict?.aimed ?? '–', verdict ? said(verdict.met) : '–']);
  });
  return [
    line(['', ...columns.map(subject => known[subject].label), 'aim', 'met']),
    `|${'---|'.repeat(columns.length + 3)}`,
    ...lines,
  ].join('\n');
}

const said = met => (met === undefined ? '–' : met ? 'yes' : '**no**');

/** Of what is installed and bundled: the most of packages, megabytes, and kilobytes of the server's bundle. */
const mostSizes = { packages: 1, megabytes: 1.5, start: 45, all: 90 };

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
    ...sizes.filter(({ subject }) => subject === 'ours').map(sizeAims),
  ].join('\n');
}

/** The last line of the table: what is aimed at, and whether it is met. */
function sizeAims({ packages, megabytes, server }) {
  const { start, all, ...most } = mostSizes;
  const isSmall = server && server.start < start && server.all < all;
  return line([
    'aim of Tenon; met',
    `${most.packages}; ${said(packages <= most.packages)}`,
    `< ${most.megabytes}; ${said(megabytes < most.megabytes)}`,
    `< ${start} / < ${all}; ${said(isSmall)}`,
    '–',
  ]);
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
  floor's server and do the same. A third of the calls goes before as a warm-up; the lines in one write and the starts
  have none.
- A cold start is the CPU time that Linux counts for all threads of a process from its start to its first list, with
  nothing of ours loaded into it. "In one bundle": made by esbuild; the floor is bundled too.
- The first answers of five servers are the one row in wall time.
- A turn of an agent is one request to a model that is a function of the same process, and in every turn but the last one
  call of a tool that gives back 100 bytes; making the agent counts too. The models are written by hand in each library's
  own shape; the schemas of AI SDK and OpenAI Agents are zod's, ours is plain JSON Schema, and each checks the arguments.
  The tracing of OpenAI Agents is off.
- What a server's tool costs in an agent above a call of its client is the difference of the two, in blocks side by side
  in one process, both with 100 bytes. AI SDK's client and OpenAI Agents talk to the floor, within one process through a
  transport or a server by hand; ours, within one process, talks to our server.
- Subjects take turns within a round, each time in a fresh process. After three rounds a row that has taken more than 40
  seconds ends. The ratio is the median of the rounds' ratios; the figure is the median of the rounds. The data below has the spread: half of what lies between the quarters of the ratios.
- A heap is measured after full collections, before and after 1,000 clients have opened a session each and made one call
  in it; what it holds outside of the heap of JavaScript counts too.
- The aims are those of Tenon alone: how often the floor's figure ours may be, or what it may be. They were set before the
  work on them, and stay as they are where they are not met; [what is not met](benchmarks-not-met.md) says where the rest goes.
- No test fails by time. What is stable (bytes allocated for a call, files loaded, bytes of bundles) is held by
  \`npm run bench:guard\`.

Run a part with \`npm run bench -- --only "stdio client"\`, a rough look with \`--quick\`; \`--write\` puts the result here.

## As data

\`\`\`json
${JSON.stringify({ rows: summaries.map(rounded), sizes }, null, 1)}
\`\`\`
`;
}

function rounded({ name, unit, per, subjects }) {
  const entries = Object.entries(subjects).map(([subject, { value, ratio, spread, perSecond }]) => [
    subject,
    {
      value: Number((unit === 'ms' ? value / 1000 : value).toFixed(2)),
      ...(ratio === undefined ? {} : { ratio: Number(ratio.toFixed(2)) }),
      spread: Number(spread.toFixed(2)),
      ...(perSecond === undefined ? {} : { perSecond: Math.round(perSecond) }),
    },
  ]);
  return { name, unit, per, ...Object.fromEntries(entries) };
}
