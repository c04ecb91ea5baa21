/** Figures as tables in Markdown, and the same as data. Pure. */
import { median, spreadOf } from './statistics.mjs';
import { subjects as known } from './subject.mjs';

/**
 * One row of medians: what it took, and how often the floor's it is, where there is a floor. `samples`: subject →
 * [{ value, perSecond?, few? }], `few` being the value of the same thing beside few others.
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
      ...(taken[0].few === undefined ? {} : { ofFew: median(taken.map(({ value, few }) => value / few)) }),
      spread: spreadOf(ratios ?? values),
      ...(taken[0].perSecond === undefined
        ? {}
        : { perSecond: median(taken.map(sample => sample.perSecond)) }),
    };
  }
  const { name, unit = 'µs', per = 'call', aim, most, ofFew, least } = row;
  const rounds = Math.max(...Object.values(samples).map(taken => taken.length));
  return { name, unit, per, aim, most, ofFew, least, rounds, subjects };
}

/** What is aimed at in a row, in words, and whether ours is there, where that can be told; nothing where there is no aim. */
function judge({ unit, aim, most, ofFew, least, subjects }) {
  const { ours } = subjects;
  if (aim !== undefined) return { aimed: `${aim}x`, met: ours && ours.ratio <= aim };
  if (most !== undefined) return { aimed: shown(most, unit), met: ours && ours.value <= most };
  if (ofFew !== undefined)
    return { aimed: `${ofFew}x of itself beside ten`, met: ours && ours.ofFew <= ofFew };
  if (!least) return undefined;
  const others = Object.entries(subjects).filter(([name]) => name !== 'ours' && name !== 'floor');
  const isLeast = ours && others.every(([, { value }]) => ours.value < value);
  return { aimed: 'the least', met: others.length === 0 ? undefined : isLeast };
}

const fixed = (value, digits = 1) => value.toFixed(value >= 100 ? 0 : digits);

/** Values are microseconds, except bytes. */
const shown = (value, unit) =>
  unit === 'B'
    ? `${Math.round(value)} B`
    : unit === 'ms'
      ? `${fixed(value / 1000)} ms`
      : `${fixed(value)} µs`;

function cell(subject, { value, ratio, ofFew }, unit) {
  const figure = shown(value, unit);
  const isRatio = subject !== 'floor' && unit !== 'B' && ratio !== undefined;
  const times = isRatio ? `, ${fixed(ratio, 2)}x` : '';
  return ofFew === undefined ? `${figure}${times}` : `${figure}${times} (${fixed(ofFew, 2)}x of itself)`;
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
    const verdict = judge(summary);
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
    line([known[subject].label, packages, fixed(megabytes, 3), bundle(server), bundle(client)]),
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

/** The same as numbers. */
export const asData = (summaries, sizes) => ({ rows: summaries.map(rounded), sizes });

function rounded({ name, unit, per, rounds, subjects }) {
  const entries = Object.entries(subjects).map(([subject, { value, ratio, ofFew, spread, perSecond }]) => [
    subject,
    {
      value: Number((unit === 'ms' ? value / 1000 : value).toFixed(2)),
      ...(ratio === undefined ? {} : { ratio: Number(ratio.toFixed(2)) }),
      ...(ofFew === undefined ? {} : { ofFew: Number(ofFew.toFixed(2)) }),
      spread: Number(spread.toFixed(2)),
      ...(perSecond === undefined ? {} : { perSecond: Math.round(perSecond) }),
    },
  ]);
  return { name, unit, per, rounds, ...Object.fromEntries(entries) };
}
