export { type McpCaller, mcpHandlers } from './handlers.ts'
export { createMcpChat } from './mcp-chat.ts'
export { createWorkflowTools } from './workflow-tools.ts'
