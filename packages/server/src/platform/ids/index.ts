export { fromTypeId, newId, toTypeId } from './ids.ts'
