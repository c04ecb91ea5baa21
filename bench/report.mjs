/** Figures as Markdown: the method, one table, and the same as JSON. Pure. */

export const median = values => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

const fixed = (value, digits = 1) => value.toFixed(value >= 100 ? 0 : digits);

/** One row of medians: CPU for a call, and how often the floor's it is. `samples`: subject → [{ cpu, perSecond }]. */
export function summarize(row, samples) {
  const subjects = {};
  for (const [subject, taken] of Object.entries(samples)) {
    const cpu = median(taken.map(sample => sample.cpu));
    // Rounds are compared with their own floor: what else the machine does meets both alike.
    const ratio = median(taken.map((sample, round) => sample.cpu / samples.floor[round].cpu));
    subjects[subject] = { cpu, ratio, perSecond: median(taken.map(sample => sample.perSecond)) };
  }
  return { name: row.name, unit: row.unit ?? 'call', limit: row.limit, subjects };
}

function cell({ cpu, ratio }, unit) {
  const time = unit === 'start' ? `${fixed(cpu / 1000)} ms` : `${fixed(cpu)} µs`;
  return `${time}, ${fixed(ratio, 2)}x`;
}

export function printTable(summaries) {
  const lines = summaries.map(({ name, unit, limit, subjects }) => {
    const { floor, ours, official } = subjects;
    const first = unit === 'start' ? `${fixed(floor.cpu / 1000)} ms` : `${fixed(floor.cpu)} µs`;
    const cells = [
      name,
      first,
      ours && cell(ours, unit),
      official && cell(official, unit),
      limit && `${limit}x`,
    ];
    return `| ${cells.map(text => text ?? '–').join(' | ')} |`;
  });
  return ['| | floor | Tenon | official 2.4 | aim |', '|---|---|---|---|---|', ...lines].join('\n');
}

export function printPage(summaries, { node, cores, rounds, when }) {
  return `# What a call costs

CPU time of the measured process for one call, all its threads, and how often that of the floor it is. Printed by
\`npm run bench\`; figures differ between machines and days, so read the ratios.

## The figures

${printTable(summaries)}

Node ${node}, ${cores} cores, ${rounds} rounds, ${when}.

## The method

- **floor**: JSON-RPC by hand on the streams of Node and on bare \`node:http\`, with the same two tools and nothing checked
  ([bench/floor](../bench/floor/)). No library can be below it.
- **official 2.4**: \`@modelcontextprotocol/server\` and \`client\` 2.4.0 with \`@modelcontextprotocol/node\` 2.1.2 and zod, pinned
  in [bench/peers](../bench/peers/).
- A call is one \`tools/call\` of a tool that gives back 100 bytes. Every answer is looked at.
- Servers are loaded by a client by hand in another process and report their own \`process.cpuUsage()\`; clients call the
  floor's server and do the same. A third of the calls goes before as a warm-up.
- Subjects take turns within a round, each time in a fresh process. The ratio is the median of the rounds' ratios; the time
  is the median of the rounds.
- The aims are for a first version: within 3 times the floor for servers and for the client on stdio, 5 for the client over
  HTTP. No test fails by time.

Run a part with \`npm run bench -- --only "stdio client"\`, a rough look with \`--quick\`; \`--write\` puts the result here.

## As data

\`\`\`json
${JSON.stringify(summaries.map(rounded), null, 1)}
\`\`\`
`;
}

function rounded({ name, unit, subjects }) {
  const entries = Object.entries(subjects).map(([subject, { cpu, ratio, perSecond }]) => [
    subject,
    {
      cpuMicroseconds: Number(cpu.toFixed(2)),
      ratio: Number(ratio.toFixed(2)),
      perSecond: Math.round(perSecond),
    },
  ]);
  return { name, per: unit, ...Object.fromEntries(entries) };
}
