// The server of `sign-in-paths.ts`: complete, but with a password hash that takes no time, so that what is measured is everything beyond it.
import { subscribe } from 'node:diagnostics_channel'
import { IncomingMessage, ServerResponse } from 'node:http'
import * as z from 'zod'
import { createLogger } from '#compose/logger.ts'
import { startServer } from '#compose/start-server.ts'
import { thisSystem } from '#compose/system.ts'
import { readProcessConfig } from '#config/environment.ts'

const logger = createLogger('warn')
const passwordCost = { memoryKib: 64, passes: 1, lanes: 1 }
const server = await startServer(readProcessConfig(), { logger, system: thisSystem(), passwordCost })
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)))
/** How long the server took for the requests of each address, from their heads until their responses were sent. */
const spentMs = new Map<string, number>()
const Started = z.object({ request: z.instanceof(IncomingMessage), response: z.instanceof(ServerResponse) })
subscribe('http.server.request.start', (message) => {
  const { request, response } = Started.parse(message)
  const startedAt = performance.now()
  const address = request.socket.remoteAddress?.replace('::ffff:', '') ?? ''
  response.once('finish', () => spentMs.set(address, (spentMs.get(address) ?? 0) + performance.now() - startedAt))
})
process.on('message', () => {
  process.send?.([...spentMs])
  spentMs.clear()
})
process.send?.('serving')
