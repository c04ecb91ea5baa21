/** `tenon/stdio`, for Node: start a server as a child process, or be one. */
export { type StdioOptions, stdio } from '../channels/stdio-client.ts';
export {
  type StdioServerOptions,
  type StdioService,
  serveStdioOn as serveStdio,
} from '../channels/stdio-server.ts';
