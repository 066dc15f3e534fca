import type { JsonValue, variableEnvironments, variableKinds } from '@millrace/contract'

export type VariableKind = (typeof variableKinds)[number]
export type Environment = (typeof variableEnvironments)[number]

/** The environment whose values an execution reads: that of drafts for a test and what it starts. */
export function environmentOf({ trigger }: { readonly trigger?: string }): Exclude<Environment, 'all'> {
  return trigger === 'test' ? 'draft' : 'production'
}

/** A variable or a secret, without the value of a secret. */
export interface Variable {
  readonly id: string
  readonly name: string
  readonly kind: VariableKind
  /** Undefined: for every workflow of the account. */
  readonly workflowId: string | undefined
  readonly environment: Environment
  /** Undefined for a secret. */
  readonly value: JsonValue | undefined
  readonly description: string
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A value as it is stored: in plain JSON, or sealed. */
export type StoredValue = { readonly json: string; readonly sealed?: undefined } | { readonly sealed: Buffer; readonly json?: undefined }

/** Variables and secrets of one account. */
export const variablesMax = 1_000
/** Size of one value as JSON. */
export const valueBytesMax = 64 * 1024
