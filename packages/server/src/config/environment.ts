import { type Config, readConfig } from './read-config.ts'

/** The configuration of this process. Besides this file only client-environment.ts reads the environment. */
export function readProcessConfig(): Config {
  return readConfig(process.env)
}
