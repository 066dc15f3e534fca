import { createLogger } from '#compose/logger.ts'
import { startServer } from '#compose/start-server.ts'
import { thisSystem } from '#compose/system.ts'
import { ConfigError } from '#config/config-error.ts'
import { readProcessConfig } from '#config/environment.ts'

try {
  await main()
} catch (error) {
  // The message names the wrong settings; a stack would only hide it.
  process.stderr.write(`${error instanceof ConfigError ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(1)
}

async function main(): Promise<void> {
  const config = readProcessConfig()
  const logger = createLogger(config.logLevel)
  const startedAt = performance.now()
  const server = await startServer(config, { logger, system: thisSystem() })
  const stop = (signal: NodeJS.Signals) => {
    // A second signal ends the process at once.
    process.once(signal, () => process.exit(1))
    logger.info({ signal }, 'stopping')
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'stopped with errors')
        process.exit(1)
      },
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  // Logged last: a reader of this line may stop the server at once, so the signal handlers must exist.
  logger.info({ url: server.url, durationMs: Math.round(performance.now() - startedAt) }, 'serving')
  if (server.operatorCode !== undefined) {
    process.stdout.write(`To run this installation, register with this one-time operator code: ${server.operatorCode}\n`)
  }
}
