/** The public names of `tenon/testing`: doubles, and the suites that contracts come with. */
export { type ManualClock, manualClock } from '../basics/manual-clock.ts';
export {
  type ChannelSuiteOptions,
  type ChannelUnderTest,
  channelSuite,
} from '../testing/channel-suite.ts';
export { type ChannelSuiteServerOptions, channelSuiteServer } from '../testing/channel-suite-server.ts';
export { type ConnectTo, type EraSuiteOptions, eraSuite } from '../testing/era-suite.ts';
export { eraSuiteServer } from '../testing/era-suite-server.ts';
export { type MemoryOptions, memory } from '../testing/memory.ts';
export {
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedOptions,
  type ScriptedResponse,
  type ScriptedStep,
  scripted,
} from '../testing/scripted.ts';
export type { TestFunction } from '../testing/test-function.ts';
