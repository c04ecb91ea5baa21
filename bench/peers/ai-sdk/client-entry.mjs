/** The entry of AI SDK's client. */
import '@ai-sdk/mcp';
