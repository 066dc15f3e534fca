export { watchEventLoop, type EventLoopWatch } from './event-loop.ts'
export { healthHandlers } from './handlers.ts'
export type { Part } from './model.ts'
export { createHealth, type Health, type HealthDeps, type Installation } from './service.ts'
