export type { AuditPort, CredentialSource, Guards } from './guards.ts'
export type { Handler, HandlersFor } from './handler.ts'
export { type HttpConfig, httpConfigDefault } from './http-config.ts'
export { createHttpServer, type HttpServerDeps, served, type ServedGroup } from './http-server.ts'
export { createIdempotencyStore, sweepIdempotencyKeys } from './idempotency/idempotency-store.ts'
export type { WebConfig } from './web/serve-web.ts'
export { createMemoryRateLimiter } from './rate-limit/memory-rate-limiter.ts'
export { createOptimisticRateLimiter } from './rate-limit/optimistic-rate-limiter.ts'
export { createPostgresRateLimiter, sweepRateLimitCounters } from './rate-limit/postgres-rate-limiter.ts'
export type { Limited, RateLimit, RateLimiter, RateLimits, RatePolicy } from './rate-limit/rate-limit.ts'
export { withPreparation } from './handler.ts'
export { rawJson } from './response/raw-json.ts'
export { type AuditDetails, type RequestContext, userKeyOf } from './request/request-context.ts'
export type { ResponseWithHeaders } from './response/respond.ts'
export {
  createEventStreams,
  type EventStreams,
  eventStreamLimitsDefault,
  type StreamCaller,
  type StreamSource,
} from './event-stream/event-streams.ts'
export type { StreamTurn, StreamTurns } from './event-stream/stream-turn.ts'
export { eventStreamHeaders, eventText, heartbeatText, retryText } from './event-stream/event-text.ts'
export {
  type ByteRange,
  etag,
  respond,
  isPicture,
  respondDownload,
  respondShown,
  respondFile,
  respondLater,
  respondPage,
  respondStream,
} from './response/respond.ts'
export type { Tx } from '#platform/db/database.ts'
export { servedPage } from './served-page.ts'
export { type RawAdmission, type RawHttpRequest, type RawReply, servedRaw } from './raw-route.ts'
export { readJson } from './request/body.ts'
