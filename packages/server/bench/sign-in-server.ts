// The server of `sign-in-paths.ts`: complete, but with a password hash that takes no time, so that what is measured is everything beyond it.
import { createLogger } from '#compose/logger.ts'
import { startServer } from '#compose/start-server.ts'
import { thisSystem } from '#compose/system.ts'
import { readProcessConfig } from '#config/environment.ts'

const logger = createLogger('warn')
const passwordCost = { memoryKib: 64, passes: 1, lanes: 1 }
const server = await startServer(readProcessConfig(), { logger, system: thisSystem(), passwordCost })
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)))
process.send?.('serving')
