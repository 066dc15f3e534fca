import { Fault, type JsonValue } from '@millrace/contract'
import type { Changed } from '#platform/changed.ts'
import type { Tx } from '#platform/http/index.ts'
import { assertRevision } from '#platform/validation/assert-revision.ts'
import { type Variable, variablesMax } from './model.ts'
import {
  type Authorship,
  countVariables,
  deleteVariable,
  findSealed,
  findVariable,
  insertVariable,
  listVariables,
  lockVariable,
  updateVariable,
  type VariableFilter,
} from './variable-store.ts'
import { assertValue, type VariableValues } from './variable-values.ts'

export interface VariablesDeps {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly newId: () => string
  readonly values: VariableValues
  /** Whether the account has a workflow. */
  readonly hasWorkflow: (tx: Tx, accountId: string, workflowId: string) => Promise<boolean>
}

export type NewVariable = Pick<Variable, 'name' | 'kind' | 'workflowId' | 'environment' | 'description'> & { readonly value: JsonValue }

/** Members that are `undefined` stay as they are. */
export interface VariableChange {
  readonly value: JsonValue | undefined
  readonly kind: Variable['kind'] | undefined
  readonly description: string | undefined
}

/** The author of a change, as `kind:id`, and the revisions at which it may be made. */
export interface Change {
  readonly actor: string
  readonly ifMatch: readonly number[] | undefined
}

export type Variables = ReturnType<typeof createVariables>

/** Manages the variables and secrets of an account. */
export function createVariables({ now, newId, values, hasWorkflow }: VariablesDeps) {
  const authorship = (actor: string): Authorship => ({ at: new Date(now()), by: actor })

  return {
    list: (tx: Tx, accountId: string, filter: VariableFilter) => listVariables(tx, accountId, filter),

    async create(tx: Tx, accountId: string, wanted: NewVariable, actor: string): Promise<Variable> {
      const { name, kind, workflowId, environment } = wanted
      const value = assertValue(kind, wanted.value)
      if (workflowId !== undefined && !(await hasWorkflow(tx, accountId, workflowId)))
        throw new Fault('request_invalid', { errors: [{ pointer: '/workflowId', detail: 'There is no such workflow.' }] })
      if ((await countVariables(tx, accountId)) >= variablesMax)
        throw new Fault('conflict', { detail: `Variable limit reached (${variablesMax}). Delete one that is not needed.` })
      const id = newId()
      const stored = await values.store(tx, accountId, id, kind, value)
      const isNew = await insertVariable(tx, accountId, { ...wanted, id }, stored, authorship(actor))
      if (!isNew) {
        const where = `${workflowId === undefined ? 'account' : 'workflow'}, environment ${environment}`
        throw new Fault('conflict', { detail: `There is a variable or secret with the name ${name} already (${where}). Change that one.` })
      }
      return find(tx, accountId, id)
    },

    async update(tx: Tx, accountId: string, id: string, wanted: VariableChange, { actor, ifMatch }: Change): Promise<Changed<Variable>> {
      const before = await lock(tx, accountId, id, ifMatch)
      const kind = wanted.kind ?? before.kind
      if (before.kind === 'secret' && kind !== 'secret')
        throw new Fault('conflict', { detail: 'A secret stays a secret. Delete it, and create a variable.' })
      const changesValue = wanted.value !== undefined || kind !== before.kind
      const value = changesValue
        ? await values.store(tx, accountId, id, kind, assertValue(kind, wanted.value === undefined ? before.value : wanted.value))
        : undefined
      const description = wanted.description ?? before.description
      if (value === undefined && description === before.description) return { before, after: before }
      await updateVariable(tx, accountId, { id, kind, description }, value, authorship(actor))
      return { before, after: await find(tx, accountId, id) }
    },

    async remove(tx: Tx, accountId: string, id: string, ifMatch: readonly number[] | undefined): Promise<Variable> {
      const variable = await lock(tx, accountId, id, ifMatch)
      await deleteVariable(tx, accountId, id)
      return variable
    },

    /** Fault `conflict` if the secret was sealed under another key. */
    async reveal(tx: Tx, accountId: string, id: string): Promise<{ readonly variable: Variable; readonly value: JsonValue }> {
      const variable = await find(tx, accountId, id)
      const sealed = await findSealed(tx, accountId, id)
      const value = sealed === undefined ? variable.value : await values.open(tx, accountId, { id, sealed })
      if (value === undefined)
        throw new Fault('conflict', { detail: 'The secret was sealed under another key of the installation. Set its value again.' })
      return { variable, value }
    },
  }
}

async function find(tx: Tx, accountId: string, id: string): Promise<Variable> {
  const variable = await findVariable(tx, accountId, id)
  if (variable === undefined) throw new Fault('not_found', { detail: 'There is no such variable.' })
  return variable
}

/** Locks a variable. Fault `revision_mismatch` if it is at another revision than the caller expects. */
async function lock(tx: Tx, accountId: string, id: string, ifMatch: readonly number[] | undefined): Promise<Variable> {
  const variable = await lockVariable(tx, accountId, id)
  if (variable === undefined) throw new Fault('not_found', { detail: 'There is no such variable.' })
  assertRevision('variable', variable.revision, ifMatch)
  return variable
}
