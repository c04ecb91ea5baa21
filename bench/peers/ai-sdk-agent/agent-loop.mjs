/** AI SDK's loop with a scripted model. */
import { generateText, isStepCount, tool } from 'ai';
import { z } from 'zod';
import { answer, echo, instructions, measureRuns, prompt, scriptedCall } from '../../agent-run.mjs';
import { asked } from '../../client-run.mjs';
import { listings } from '../../messages.mjs';

const usage = {
  inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 20, text: 20, reasoning: 0 },
};

function scripted(turns) {
  let done = 0;
  return {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate() {
      const call = scriptedCall(done, turns);
      done += 1;
      const content = call && {
        type: 'tool-call',
        toolCallId: call.id,
        toolName: call.name,
        input: call.arguments,
      };
      return {
        content: [content ?? { type: 'text', text: answer }],
        finishReason: { unified: call === undefined ? 'stop' : 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      };
    },
  };
}

const tools = {
  echo: tool({
    description: listings[0].description,
    inputSchema: z.object({ text: z.string() }),
    execute: echo.run,
  }),
};

async function run(turns) {
  const { text } = await generateText({
    model: scripted(turns),
    instructions,
    prompt,
    tools,
    stopWhen: isStepCount(turns),
  });
  return text;
}

await measureRuns(run, asked);
