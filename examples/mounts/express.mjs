/** The server as one route of an Express application, behind its body parser. */
// #region mount
import express from 'express';
import { nodeHandler } from 'tenon/node';
import { server } from './server.ts';

const app = express();
app.use(express.json({ limit: '4mb' }));
app.all('/mcp', nodeHandler(server));
// #endregion
const listener = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${listener.address().port}/mcp`);
});
