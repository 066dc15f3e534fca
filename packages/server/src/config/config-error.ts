/** One invalid variable, with the correction. */
export interface ConfigFault {
  readonly name: string
  readonly message: string
}

/** The configuration is invalid. The error lists all invalid variables, so that they can be corrected together. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly ConfigFault[]

  constructor(faults: readonly ConfigFault[]) {
    const lines = faults.map(({ name, message }) => `  ${name}: ${message}`)
    super(`The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${lines.join('\n')}`)
    this.faults = faults
  }
}
