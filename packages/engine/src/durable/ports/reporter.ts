/** Logs bugs and the state of the engine itself, as opposed to the faults of executions. */
export interface Reporter {
  warn(message: string, details: Readonly<Record<string, unknown>>): void
}
