export { idOf } from './id-of.ts'
export { createIdSource } from './id-source.ts'
export { fromTypeId, newId, toTypeId } from './ids.ts'
export { leastId } from './least-id.ts'
