import { type Config, readConfig } from './read-config.ts'

/** The configuration of this process. No other file reads the environment. */
export function readProcessConfig(): Config {
  return readConfig(process.env)
}
