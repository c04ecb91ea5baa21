/** What a model tells of the tools it could not offer as they are. */
import type { Loss, Projection } from '../../projection/projection.ts';
import type { Note } from './provider.ts';

/** One note for each tool that is not offered, and one for each whose schema says less than it did. */
export function projectionNotes({ dropped, losses }: Projection): readonly Note[] {
  const lossesOf = new Map<string, Loss[]>();
  for (const loss of losses) lossesOf.set(loss.tool, [...(lossesOf.get(loss.tool) ?? []), loss]);
  return [
    ...dropped.map(({ tool, reason }) =>
      note('tool-dropped', `the tool "${tool}" is not offered to the model: ${reason}`),
    ),
    ...[...lossesOf].map(([tool, list]) => note('schema-simplified', describeLosses(tool, list))),
  ];
}

function describeLosses(tool: string, losses: readonly Loss[]): string {
  const keywords = [...new Set(losses.map(({ keyword }) => keyword))].join(', ');
  return `the model is shown the schema of "${tool}" without all of ${keywords}; arguments are still checked against it`;
}

function note(code: string, message: string): Note {
  return { type: 'note', code, message };
}
