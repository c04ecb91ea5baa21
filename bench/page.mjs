/** The page of the benchmark: the tables, the method, and the data. Pure. */
import { asData, printSizes, printTable } from './report.mjs';

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
  ([bench/floor](../bench/floor/)). It is simple, not the least possible: it prints its list of tools anew for each that
  asks, and joins the chunks of a long message as text. Who keeps the printed list (ours does) or joins bytes is below it
  there, at 0.3x to 0.8x; in calls it is what remains when a library does nothing.
- The others are the published packages, pinned, each installed in a folder of its own under
  [bench/peers](../bench/peers/). mcp-lite has no stdio: there the floor's line reader stands around its dispatcher.
- Who takes web requests runs over HTTP on the adapter for Node that its documentation shows: mcp-lite in a Hono app on
  \`@hono/node-server\`, tmcp on \`srvx\`. The official packages, fastmcp and ours bring their own. What is
  installed is counted with these adapters.
- A call is one \`tools/call\` of a tool that gives back 100 bytes. Of a server every answer is judged: it carries the
  id of a call that waits, each id once, is no error and no failed tool, and has the text sent as its only content; a list
  has as many tools as there are. Of a client, what its call gives back must be that text.
- In the rows with JSON over HTTP ours is asked with \`Accept: application/json, text/event-stream;q=0.5\`, since it
  gives what the client likes better; mcp-lite with \`application/json\` alone. The others choose by an option, and are
  asked with both types, as the protocol says. In the rows with streams ours and the floor are asked with
  \`text/event-stream\` alone.
- "–" stands where a subject has no such part: no such side, era, transport or kind of answer. In two places it is our
  choice. At 32 MB the official packages and fastmcp, which end the connection at 10 MB, are not tried, and tmcp is not,
  whose time grows with the square of the length: seconds for one message. Many tools are tried with the official 2.4
  alone.
- Servers are loaded by a client by hand in another process and report their own \`process.cpuUsage()\`; clients call the
  floor's server and do the same. A third of the calls goes before as a warm-up; the lines in one write and the starts
  have none.
- A cold start is the CPU time that Linux counts for all threads of a process from its start to its first list, with
  nothing of the benchmark loaded into it. "In one bundle": made by esbuild; the floor is bundled too.
- Of starts and of loading the client's entry a round takes the median of seven processes (of three or four, where one
  takes so long that it does not matter); of the first answers of five servers, of three.
- The first answers of five servers are the one row in wall time.
- A turn of an agent is one request to a model that is a function of the same process, and in every turn but the last one
  call of a tool that gives back 100 bytes; making the agent counts too. The models are written by hand in each library's
  own shape; the schemas of AI SDK and OpenAI Agents are zod's, ours is plain JSON Schema, and each checks the arguments.
  The tracing of OpenAI Agents is off.
- What a server's tool costs in an agent above a call of its client is the difference of the two, in blocks side by side
  in one process, both with 100 bytes. AI SDK's client and OpenAI Agents talk to the floor, within one process through a
  transport or a server by hand; ours, within one process, talks to our server.
- Subjects take turns within a round, each time in a fresh process. After three rounds a row that has taken more than 40
  seconds ends. The ratio is the median of the rounds' ratios; the figure is the median of the rounds. The data below has
  the rounds of each row and the spread of the ratios as a share of their median: from the lowest to the highest of up to
  three rounds, between the quarters of more.
- Whoever takes more than a minute for one measurement makes it once.
- A call beside 10,000 tools is compared with one beside ten in six turns of two servers that are open at once, so that
  what else the machine does meets both alike.
- A heap is measured after full collections, before and after 1,000 clients have opened a session each and made one call
  in it; what it holds outside of the heap of JavaScript counts too.
- The aims are those of Tenon alone: how often the floor's figure ours may be, or what it may be. Where a time was aimed
  at beside that of the floor (in memory 4 µs where it is 0.6, the client's entry 15 ms where it is 3.5) the aim is the
  ratio of the two. They were set before the work on them, and stay as they are where they are not met; [what is not met](benchmarks-not-met.md) says where the rest goes.
- No test fails by time. What is stable (bytes allocated for a call, modules of Node, bytes of bundles, instructions of a
  start) is held by \`npm run bench:guard\`.

Run a part with \`npm run bench -- --only "stdio client"\`, a rough look with \`--quick\`; a whole run with \`--write\` puts the result here.

## As data

\`\`\`json
${JSON.stringify(asData(summaries, sizes), null, 1)}
\`\`\`
`;
}
