/** A run as one trace: the agent, its model, its tools, the client and the server, by OpenTelemetry's conventions. */
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
// #region trace
import { Agent, connect, Server, toolset } from 'tenon';
import { otel } from 'tenon/otel';
// #endregion
import { tool } from 'tenon';
import { scripted } from 'tenon/testing';

// What a program sets up once, in whatever way it exports its spans; here they stay in memory.
const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
);
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

const measure = tool({ name: 'measure', description: 'Measures the board.', run: () => '41 mm' });
const model = scripted([{ toolCalls: [{ name: 'measure' }] }, 'It is 41 mm thick.'], { name: 'openai:any' });

// #region trace
const tracer = otel();
const server = new Server({ name: 'workshop', version: '1.0.0', tools: [measure], tracer });
const client = await connect(server, { tracer });
const agent = new Agent({ name: 'joiner', model, tools: toolset(client), tracer });
await agent.run('How thick is the board?');
// #endregion
await client.close();

const spans = exporter.getFinishedSpans();
const under = (parent: string | undefined, indent: string): void => {
  for (const span of spans.filter(span => span.parentSpanContext?.spanId === parent)) {
    console.log(`${indent}${span.name}`);
    under(span.spanContext().spanId, `${indent}  `);
  }
};
under(undefined, '');
