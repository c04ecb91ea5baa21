/** The Gemini SDK with our tools. */
import { type Content, GoogleGenAI } from '@google/genai';
import { toolset } from 'tenon';
import { toGeminiCallableTool, toGeminiTools } from 'tenon/adapters/gemini';
import { contents as answers } from './answers.ts';
import { serveModel } from './model-server.ts';
import { type Report, runPrograms } from './report.ts';
import { connectThreeTools } from './three-tools.ts';

const model = 'model-1';

await runPrograms({
  async raw(): Promise<Report> {
    const server = await serveModel(answers);
    const client = await connectThreeTools();
    const gemini = new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: server.url } });
    const { tools, run } = await toGeminiTools(toolset(client));
    const contents: Content[] = [{ role: 'user', parts: [{ text: 'Go on.' }] }];
    for (;;) {
      const response = await gemini.models.generateContent({ model, contents, config: { tools } });
      const parts = await run(response.functionCalls);
      if (parts.length === 0) {
        await Promise.all([client.close(), server.close()]);
        return { answer: response.text ?? '', asked: server.asked };
      }
      const turn = response.candidates?.[0]?.content;
      contents.push(...(turn ? [turn] : []), { role: 'user', parts });
    }
  },
  async callable(): Promise<Report> {
    const server = await serveModel(answers);
    const client = await connectThreeTools();
    const gemini = new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: server.url } });
    // #region callable
    const tools = [await toGeminiCallableTool(toolset(client))];
    const { text = '' } = await gemini.models.generateContent({
      model,
      contents: 'Go on.',
      config: { tools },
    });
    // #endregion
    await Promise.all([client.close(), server.close()]);
    return { answer: text, asked: server.asked };
  },
});
