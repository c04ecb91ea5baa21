/** Tools that change what the server offers, so that whoever watches is told. */
import { type AnyTool, type Server, tool } from 'tenon/server';
import { prompts } from './prompts.ts';

/** The tools of `all`, and two that announce tools and prompts anew on the server that `find` gives. */
export function withChanges(all: readonly AnyTool[], find: () => Server): readonly AnyTool[] {
  const tools: readonly AnyTool[] = [
    ...all,
    tool({
      name: 'test_trigger_tool_change',
      description: 'Announces the tools anew.',
      run: () => {
        find().update({ tools });
        return 'Tools announced.';
      },
    }),
    tool({
      name: 'test_trigger_prompt_change',
      description: 'Announces the prompts anew.',
      run: () => {
        find().update({ prompts });
        return 'Prompts announced.';
      },
    }),
  ];
  return tools;
}
