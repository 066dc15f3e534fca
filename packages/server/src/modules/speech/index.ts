export { speechHandlers } from './handlers.ts'
