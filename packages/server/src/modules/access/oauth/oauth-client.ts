/** A program that asks users for access. It has no secret. */
export interface OAuthClient {
  /** A uuid of a client that registered; else the address of the document that describes it. */
  readonly id: string
  readonly name: string
  readonly redirectUris: readonly string[]
}

export const clientIdMax = 500
export const clientNameMax = 100
export const redirectUrisMax = 30
