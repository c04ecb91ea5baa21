/** The public names of `tenon/bridge`: tools of servers for agents, agents and patterns as tools of servers. */
export { type ServeAgentOptions, serveAgent } from '../bridge/serve-agent.ts';
export { type ServedPattern, type ServePatternsOptions, servePatterns } from '../bridge/serve-patterns.ts';
export { type DroppedTool, type Toolset, type ToolsetOptions, toolset } from '../bridge/toolset.ts';
