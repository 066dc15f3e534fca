// Of the engine, what calls services and runs scripts: loaded when something is to be called.
export { createResourceFetcher, type FetchResource } from '#effects/fetch-resource.ts'
export { createHttpFunctions } from '#effects/http-functions.ts'
export { createScriptFunction, createScriptPool, type ScriptPool } from '#effects/script/index.ts'
export type { HttpPort, HttpReply, HttpRequest } from '#effects/http/index.ts'
