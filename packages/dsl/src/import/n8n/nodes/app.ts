/** Method, path, body as jq, and jq from the reply to items. */
export type AppOperation = readonly [method: string, path: string, body?: string, result?: string]

export interface App {
  readonly base: string
  /** Members of the headers as jq; SECRET stands for the credential. */
  readonly auth: string
  /** What the export omits where it is the default. */
  readonly resource: string
  readonly operation: string
  readonly operations: Readonly<Record<string, AppOperation>>
}

/** A header with a token. */
export const bearer = '"Authorization": ("Bearer " + SECRET)'
