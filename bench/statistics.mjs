/** The middle of several figures, and how far they are apart. Pure. */

const ordered = values => [...values].sort((a, b) => a - b);

/** The figure below which a share of the others lies; between two of them, as far between as the share says. */
function quantile(values, share) {
  const sorted = ordered(values);
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const next = sorted[Math.min(below + 1, sorted.length - 1)];
  return sorted[below] + (next - sorted[below]) * (place - below);
}

export const median = values => quantile(values, 0.5);

/** From so many figures on, one that stands apart may be left out. */
const few = 4;

/** As a share of the median: the distance from the lowest to the highest of few, between the quarters of more. */
export function spreadOf(values) {
  const edge = values.length < few ? 0 : 0.25;
  return (quantile(values, 1 - edge) - quantile(values, edge)) / median(values);
}

/** Where one measurement tells little: the median of so many, one after the other. */
export async function medianOf(count, measure) {
  const values = [];
  while (values.length < count) values.push((await measure()).value);
  return median(values);
}
