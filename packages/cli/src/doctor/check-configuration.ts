import { type Config, ConfigError, readProcessConfig } from '@millrace/server'
import { fail, type Finding, ok, warn } from './check.ts'

const name = 'Configuration'

export interface ConfigurationFindings {
  readonly findings: readonly Finding[]
  /** Undefined when it is not usable. */
  readonly config: Config | undefined
}

/** Every variable that is wrong, and every one that is probably not meant. */
export function checkConfiguration(read: () => Config = readProcessConfig): ConfigurationFindings {
  try {
    const config = read()
    const warnings = config.warnings.map((warning) => warn(name, `${warning}.`, 'Correct its name, or unset it.'))
    return { config, findings: warnings.length > 0 ? warnings : [ok(name, 'every variable is right.')] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return {
      config: undefined,
      findings: error.faults.map((fault) => fail(name, `${fault.name} ${fault.message}`, `Set ${fault.name} right, or unset it.`)),
    }
  }
}
