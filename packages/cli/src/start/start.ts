import { flushCompileCache } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { assertNotRunning, type Config, createLogger, type RunningServer, startServer, thisSystem, webBuilt } from '@millrace/server'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { tryToListen } from '#command/try-to-listen.ts'
import { Failure, messageOf, systemCodeOf } from '#command/failure.ts'
import { type ConfigurationOverrides, readConfiguration } from '#command/read-configuration.ts'
import { createPaint } from '#terminal/paint.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { logText } from './log-text.ts'

export interface StartRequest extends ConfigurationOverrides {
  readonly json: boolean
}

/** Starts the server and resolves when it has been stopped. */
export async function start(request: StartRequest, terminal: Terminal): Promise<ExitCode> {
  const { stderr } = terminal
  const config = readConfiguration(request)
  const paint = createPaint(stderr)
  const asText = stderr.isTTY === true && !request.json
  const logger = createLogger(config.logLevel, { write: (line) => void stderr.write(asText ? logText(line, paint) : line) })
  const interrupt = interrupted(terminal)
  // Before a new database is made, which takes seconds.
  const portError = config.http.port === 0 ? undefined : await tryToListen(config.http.host, config.http.port)
  if (portError !== undefined) {
    // The program on the port may be Millrace itself, on the same folder.
    const cause = config.database.url === undefined ? await assertNotRunning(config.home).catch((error: unknown) => error) : undefined
    throw startFailure(cause ?? portError, config)
  }
  const starting = startServer(config, { logger, system: thisSystem() })
  void interrupt.then(async () => {
    // A wait for a database that is not reachable must be stopped as well.
    const started = await Promise.race([starting.then(() => true), pause(config.shutdownMs, false, { ref: false })]).catch(() => true)
    if (!started) terminal.exit(exitCodes.failed)
  })
  const server = await starting.catch((error: unknown) => {
    throw startFailure(error, config)
  })
  stderr.write(banner(server, config, terminal))
  // Node writes the cache at exit, which a killed server does not reach.
  flushCompileCache()
  await interrupt
  stderr.write(`\n${paint.yellow('Stopping')}: finishing the work in progress. Press Ctrl-C again to stop immediately.\n`)
  try {
    await server.close()
  } catch (error) {
    stderr.write(`Stopped immediately: ${messageOf(error)}. All acknowledged writes are on disk.\n`)
    terminal.exit(exitCodes.failed)
  }
  stderr.write('Stopped.\n')
  return exitCodes.ok
}

/** Resolves at the first Ctrl-C; the second one ends the process. */
function interrupted(terminal: Terminal): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    terminal.onInterrupt(() => {
      if (asked) terminal.exit(exitCodes.failed)
      asked = true
      resolve()
    })
  })
}

function banner({ url, operatorCode }: RunningServer, config: Config, { stderr }: Terminal): string {
  const paint = createPaint(stderr)
  const row = (label: string, text: string): string => `  ${paint.dim(label.padEnd(9))} ${text}`
  const lines = [
    `${paint.green('✓')} ${paint.bold('Millrace')} is running`,
    row('Web UI', paint.cyan(url)),
    ...(webBuilt()
      ? []
      : [row('', paint.yellow('It is not built yet. "npm start" is building it now; after another command, run "npm run build:web".'))]),
    row('API', paint.cyan(url)),
    row('Reference', paint.cyan(`${url}/docs`)),
    row('Data', config.database.url === undefined ? `${config.home} (built-in PostgreSQL)` : 'PostgreSQL of DATABASE_URL'),
    ...(operatorCode === undefined
      ? []
      : [row('Operator', paint.bold(operatorCode)), row('', paint.dim('Register with this one-time code to run this installation.'))]),
    row('Stop', `Ctrl-C, or kill ${process.pid}`),
  ]
  return `${lines.join('\n')}\n\n`
}

function startFailure(error: unknown, { http }: Config): Failure {
  const code = systemCodeOf(error)
  if (code === 'EADDRINUSE') {
    return new Failure(`Port ${http.port} on ${http.host} is in use by another program.`, {
      hint: 'Stop that program, or choose another port: millrace start --port 3001.',
      cause: error,
    })
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new Failure(`HOST ${http.host} is not an address of this machine.`, {
      hint: 'Set HOST to 127.0.0.1, or to 0.0.0.0 for all addresses.',
      cause: error,
    })
  }
  return new Failure(`The server could not start: ${messageOf(error)}`, {
    hint: '"millrace doctor" checks the whole installation.',
    cause: error,
  })
}
