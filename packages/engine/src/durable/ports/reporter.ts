/** Where the engine reports what does not belong to an execution: bugs, and the state of the engine itself. */
export interface Reporter {
  warn(message: string, details: Readonly<Record<string, unknown>>): void
}
