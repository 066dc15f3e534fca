export type { McpCallLimits } from './context.ts'
export { createMcpFunction, type McpFunctionDeps } from './mcp-function.ts'
