export { createTemplates, type Templates } from './catalogue.ts'
export { templateHandlers } from './handlers.ts'
export type { Template } from './model.ts'
