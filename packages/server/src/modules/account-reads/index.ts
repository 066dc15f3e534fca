export { type AccountReadDeps, createAccountRead } from './account-read.ts'
export { type AccountOperation, described, isAccountOperation, schemaOf } from './parameters.ts'
export type { ReadContext, Reader } from './reader.ts'
export { createReaders, type Readers } from './readers.ts'
