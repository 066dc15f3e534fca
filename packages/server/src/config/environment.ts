import { type Config, readConfig } from './read-config.ts'

/** The configuration of this process: the only place that looks at the environment. */
export function readProcessConfig(): Config {
  return readConfig(process.env)
}
