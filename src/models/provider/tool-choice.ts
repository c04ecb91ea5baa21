/** The wish that a tool be called, as far as it can be kept: nobody can call what is not offered. */
import type { Projection } from '../../projection/projection.ts';
import type { ModelRequest } from '../model.ts';
import type { Note } from './provider.ts';

/** The request without a choice that no offered tool can answer, and the note that says so. */
export function keepChoice(
  request: ModelRequest,
  { tools, aliasOf, nameOf }: Projection,
): { readonly request: ModelRequest; readonly note?: Note } {
  const { toolChoice, ...rest } = request;
  if (toolChoice === undefined || (request.tools ?? []).length === 0) return { request };
  if (typeof toolChoice === 'object') {
    const { name } = toolChoice;
    const alias = aliasOf(name);
    const isOffered = tools.some(tool => tool.name === alias) && nameOf(alias) === name;
    return isOffered
      ? { request }
      : { request: rest, note: note(`call "${name}", which is not offered to it`) };
  }
  if (toolChoice !== 'required' || tools.length > 0) return { request };
  return { request: rest, note: note('call a tool, and none is offered to it') };
}

function note(what: string): Note {
  return {
    type: 'note',
    code: 'tool-choice-dropped',
    message: `the model was to ${what}; it answers as it likes`,
  };
}
