export type CheckState = 'ok' | 'warn' | 'fail'

/** The result of one check. */
export interface Finding {
  readonly name: string
  readonly state: CheckState
  readonly message: string
  /** What to do; present if the state is not `ok`. */
  readonly remedy?: string
}

export function ok(name: string, message: string): Finding {
  return { name, state: 'ok', message }
}

export function warn(name: string, message: string, remedy: string): Finding {
  return { name, state: 'warn', message, remedy }
}

export function fail(name: string, message: string, remedy: string): Finding {
  return { name, state: 'fail', message, remedy }
}
