/** A case of jq's own tests that this package does not pass, and why. The test fails when one of them begins to pass. */
export interface Exception {
  readonly program: string
  readonly reason: string
}

export const exceptions: readonly Exception[] = [
  { program: 'try input catch .', reason: 'there is no process with an input stream; `input` is refused by name' },
  { program: 'debug', reason: 'there is no process with a standard error; `debug` is refused by name' },
]
