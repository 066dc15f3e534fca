import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Config } from '#config/read-config.ts'
import { type Health, metricsText } from '#modules/health/index.ts'
import { createHttpServer, type Guards, httpConfigDefault, type ServedGroup } from '#platform/http/index.ts'
import type { Host } from './host.ts'
import { exemptionOf, logLimited } from './rate-limits.ts'
import type { Shutdown } from './shutdown.ts'
import { webConfig } from './web.ts'

export interface HttpParts {
  readonly guards: Guards
  readonly groups: Readonly<Record<string, ServedGroup>>
  readonly health: Health
  /** Whether the interface for people is served. */
  readonly forPeople: boolean
  readonly reserved: ReservedPort
}

/** Where a server will listen. */
export interface ReservedPort {
  readonly port: number
  /** What has the port until the server takes it over; undefined for a port that the configuration names. */
  readonly socket: Server | undefined
}

/** Port 0 is any free port. It is taken before the server is ready, because links in mails and addresses of webhooks name it. */
export async function reservePort(
  { host, port }: Pick<Config['http'], 'host' | 'port'>,
  running: AsyncDisposableStack,
): Promise<ReservedPort> {
  if (port !== 0) return { port, socket: undefined }
  const socket = createServer((connection) => connection.destroy())
  socket.listen(0, host)
  await once(socket, 'listening')
  running.defer(() => void socket.close())
  const address = socket.address()
  if (address === null || typeof address === 'string') throw new Error('the system gave no port')
  return { port: address.port, socket }
}

/** Where this machine reaches a server that listens on all its addresses. */
const anyAddress: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])

/** Listens on what has the port already: to free it first would let another program take it. */
async function listenOn(app: FastifyInstance, socket: Server, { host, port }: Pick<Config['http'], 'host' | 'port'>): Promise<string> {
  await app.ready()
  app.server.listen(socket)
  await once(app.server, 'listening')
  const reached = anyAddress.get(host) ?? host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}

/** Starts to listen, and returns the URL. */
export async function startHttp(
  config: Config['http'],
  { guards, groups, health, forPeople, reserved }: HttpParts,
  { logger, system, strict = false }: Host,
  shutdown: Shutdown,
  running: AsyncDisposableStack,
): Promise<string> {
  const { rateLimits, rateExempt, corsOrigins, trustedProxies, hsts, host, port } = config
  const app = createHttpServer({
    config: { ...httpConfigDefault, rateLimits, isExempt: exemptionOf(rateExempt), corsOrigins, trustedProxies, hsts, strict },
    guards,
    groups,
    ...(config.metrics === undefined
      ? {}
      : { metrics: { token: config.metrics.token?.reveal(), figures: async () => metricsText(await health.measure()) } }),
    web: forPeople ? webConfig(guards) : undefined,
    onLimited: logLimited(logger),
    newRequestId: system.newId,
    logger: withoutChildren(logger),
  })
  running.defer(() => closeHttp(app, shutdown))
  return reserved.socket === undefined ? app.listen({ host, port }) : listenOn(app, reserved.socket, config)
}

/** Connections become idle one by one as their requests end; `closeIdleConnections` closes only those that are idle when it is called. */
const idleCheckMs = 50

/** Stops listening at once, lets requests end, and closes the connections of those that do not end in time. */
async function closeHttp(app: FastifyInstance, shutdown: Shutdown): Promise<void> {
  const cutOff = setTimeout(() => app.server.closeAllConnections(), shutdown.cutOffMs())
  const idle = setInterval(() => app.server.closeIdleConnections(), idleCheckMs)
  try {
    await app.close()
  } finally {
    clearTimeout(cutOff)
    clearInterval(idle)
  }
}

/** Fastify makes a child logger for every request, at a cost, and few requests log. Log lines about a request contain its id anyway. */
function withoutChildren(logger: FastifyBaseLogger): FastifyBaseLogger {
  const flat: FastifyBaseLogger = {
    level: logger.level,
    fatal: logger.fatal.bind(logger),
    error: logger.error.bind(logger),
    warn: logger.warn.bind(logger),
    info: logger.info.bind(logger),
    debug: logger.debug.bind(logger),
    trace: logger.trace.bind(logger),
    silent: logger.silent.bind(logger),
    child: () => flat,
  }
  return flat
}
