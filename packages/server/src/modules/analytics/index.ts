export { createAnalytics } from './analytics-service.ts'
export { createEvaluator } from './evaluator.ts'
export { deleteFiguresOf } from './figures-store.ts'
export { analyticsHandlers } from './handlers.ts'
