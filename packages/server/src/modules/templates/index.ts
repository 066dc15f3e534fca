export { createTemplates, type Templates } from './catalogue.ts'
export type { Template } from './model.ts'
