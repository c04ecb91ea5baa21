/** `tenon/node`: serve over HTTP with Node, as a server of its own or as a part of another. */
export { type NodeHandler, nodeHandler } from '../channels/node-http.ts';
export { type HttpService, type ServeHttpOptions, serveHttp } from '../channels/node-http-serve.ts';
