import { resolve } from 'node:path'
import { type Config, ConfigError, readProcessConfig } from '@millrace/server'
import { Failure, usageFailure } from './failure.ts'

/** Options of the command line that override the environment. */
export interface ConfigurationOverrides {
  readonly port?: string | undefined
  readonly host?: string | undefined
  readonly home?: string | undefined
  readonly acceptNewKey?: boolean
}

/** The configuration of this process. Throws a failure that names everything that is wrong with it. */
export function readConfiguration({ port, host, home, acceptNewKey = false }: ConfigurationOverrides = {}): Config {
  const config = readEnvironment()
  return {
    ...config,
    ...(home === undefined ? {} : { home: resolve(home) }),
    acceptNewKey,
    http: {
      ...config.http,
      ...(port === undefined ? {} : { port: readPort(port) }),
      ...(host === undefined ? {} : { host }),
    },
  }
}

function readEnvironment(): Config {
  try {
    return readProcessConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new Failure(error.message, { exitCode: 2, hint: '"millrace doctor" checks the whole installation.', cause: error })
  }
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw usageFailure(`--port ${text}: a port is a number from 0 to 65535.`)
}
