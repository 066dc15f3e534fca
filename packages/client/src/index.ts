export { type Call, type Client, type ClientOptions, createClient, type Groups, type Retry } from './client.ts'
export { ClientError } from './client-error.ts'
export { every } from './pages.ts'
export type { CallOptions } from './request.ts'
