export { createCredentialCache } from '#effects/http/authentication/credential-cache.ts'
export { callHttp } from './call-http.ts'
export type { HttpCallLimits } from './context.ts'
export type { HttpPort, HttpReply, HttpRequest } from './port.ts'
