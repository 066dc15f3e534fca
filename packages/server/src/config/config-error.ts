/** One variable that is wrong, and what to write instead. */
export interface ConfigFault {
  readonly name: string
  readonly message: string
}

/** The environment is not usable; holds everything that is wrong with it, so that it can be put right in one go. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly ConfigFault[]

  constructor(faults: readonly ConfigFault[]) {
    const lines = faults.map(({ name, message }) => `  ${name}: ${message}`)
    super(`The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${lines.join('\n')}`)
    this.faults = faults
  }
}
