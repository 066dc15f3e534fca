import { Fault, type InvalidPart, type JsonValue } from '@millrace/contract'
import type { Json } from '@millrace/engine'
import type { Start } from '#modules/executions/index.ts'
import type { PublishingAuthor, Workflows } from '#modules/workflows/index.ts'
import type { Changed } from '#platform/changed.ts'
import type { Database } from '#platform/db/database.ts'
import type { Tx } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import { assertRevision } from '#platform/validation/assert-revision.ts'
import { countChains, deleteChain, findChain, insertChain, listChains, lockChain, updateChain } from './chain-store.ts'
import { compileChain } from './compile-chain.ts'
import { type Chain, type ChainMember, chainsMax, stepsOf } from './model.ts'

type Prepared = Awaited<ReturnType<Workflows['prepareCreate']>>

export interface ChainsDeps {
  readonly database: Pick<Database, 'account'>
  readonly workflows: Pick<Workflows, 'prepareCreate' | 'create' | 'update' | 'remove' | 'documentNames'>
  readonly start: Start
  readonly now: () => number
  readonly newId: () => string
}

export interface NewChain {
  readonly name: string
  readonly description: string | undefined
  readonly members: readonly ChainMember[]
}

/** Members that are `undefined` stay as they are; a description of `null` is removed. */
export interface ChainChange {
  readonly name: string | undefined
  readonly description: string | null | undefined
  readonly members: readonly ChainMember[] | undefined
}

/** A chain that was compiled and whose definition was read. */
export interface CompiledChain extends NewChain {
  readonly id: string
  readonly compiled: string
  readonly prepared: Prepared
  /** The revision of the chain that was changed. */
  readonly revision: number | undefined
}

export type Chains = ReturnType<typeof createChains>

/** Manages the chains of an account and runs them. */
export function createChains(deps: ChainsDeps) {
  const { database, workflows } = deps
  const authorship = (actor: string) => ({ at: new Date(deps.now()), by: actor })

  /** Fault `chain_invalid` with the pointer of the wrong member. */
  async function compile(accountId: string, chain: NewChain & { readonly id: string }, revision?: number): Promise<CompiledChain> {
    const definition = await definitionOf(accountId, chain)
    try {
      const prepared = await workflows.prepareCreate(accountId, { definition, publish: true })
      return { ...chain, compiled: JSON.stringify(definition), prepared, revision }
    } catch (error) {
      throw error instanceof Fault && error.code === 'workflow_invalid' ? invalidMember(error) : error
    }
  }

  async function definitionOf(accountId: string, chain: NewChain & { readonly id: string }) {
    const steps = stepsOf(chain.members)
    const names = await database.account(accountId, (tx) =>
      workflows.documentNames(
        tx,
        accountId,
        steps.map(({ step }) => step.workflowId),
      ),
    )
    const errors = steps.flatMap(({ step, pointer }): InvalidPart[] => {
      if (names.has(step.workflowId)) return []
      const id = toTypeId('wf', step.workflowId)
      return [{ pointer: `${pointer}/workflowId`, detail: `The member "${step.name}": there is no published and enabled workflow ${id}.` }]
    })
    if (errors.length > 0) throw new Fault('chain_invalid', { errors })
    return compileChain(chain, names)
  }

  /** Publishes the definition of a chain whose compilation has changed. */
  async function publish(
    tx: Tx,
    accountId: string,
    chain: Chain,
    { prepared, ...next }: CompiledChain,
    author: PublishingAuthor,
  ): Promise<void> {
    const change = {
      definition: next.compiled,
      name: next.name,
      description: undefined,
      tags: undefined,
      enabled: undefined,
      publish: true,
    }
    const options = { ...author, ifMatch: undefined, managedBy: 'chain' as const }
    await workflows.update(tx, accountId, chain.workflowId, change, { given: prepared, draft: undefined }, options)
    await updateChain(tx, accountId, { ...next, workflowId: chain.workflowId }, authorship(author.actor))
  }

  return {
    list: (tx: Tx, accountId: string, page: { readonly before: string | undefined; readonly limit: number }) =>
      listChains(tx, accountId, page),
    get: find,

    /** Prepares `create`; call it before the transaction of `create`. */
    prepareCreate: (accountId: string, given: NewChain) => compile(accountId, { id: deps.newId(), ...given }),

    async create(tx: Tx, accountId: string, compiled: CompiledChain, actor: string): Promise<Chain> {
      if ((await countChains(tx, accountId)) >= chainsMax)
        throw new Fault('conflict', { detail: `The account has ${chainsMax} chains. Delete those that are not needed.` })
      const { prepared, ...chain } = compiled
      const given = {
        definition: chain.compiled,
        name: chain.name,
        description: undefined,
        tags: undefined,
        publish: true,
        managedBy: 'chain' as const,
      }
      const { id: workflowId } = await workflows.create(tx, accountId, given, prepared, { actor })
      await insertChain(tx, accountId, { ...chain, workflowId }, authorship(actor))
      return find(tx, accountId, chain.id)
    },

    /** Prepares `update`; call it before the transaction of `update`. */
    async prepareUpdate(accountId: string, id: string, change: ChainChange): Promise<CompiledChain> {
      const before = await database.account(accountId, (tx) => find(tx, accountId, id))
      const after = {
        id,
        name: change.name ?? before.name,
        description: change.description === undefined ? before.description : (change.description ?? undefined),
        members: change.members ?? before.members,
      }
      return compile(accountId, after, before.revision)
    },

    async update(
      tx: Tx,
      accountId: string,
      compiled: CompiledChain,
      actor: string,
      ifMatch: readonly number[] | undefined,
    ): Promise<Changed<Chain>> {
      const before = await lock(tx, accountId, compiled.id, ifMatch)
      if (before.revision !== compiled.revision)
        throw new Fault('conflict', { detail: 'The chain was changed at the same time. Repeat the request.' })
      await publish(tx, accountId, before, compiled, { actor })
      return { before, after: await find(tx, accountId, compiled.id) }
    },

    /** @returns the name of the chain. */
    async remove(tx: Tx, accountId: string, id: string, actor: string, ifMatch: readonly number[] | undefined): Promise<string> {
      const { workflowId, name } = await lock(tx, accountId, id, ifMatch)
      await deleteChain(tx, accountId, id)
      await workflows.remove(tx, accountId, workflowId, { actor, ifMatch: undefined, managedBy: 'chain' })
      return name
    },

    /** Starts an execution. If a member was published under another name since, the chain is compiled again first. */
    async run(
      accountId: string,
      id: string,
      given: { readonly input: Json | undefined; readonly actor: string; readonly key: string | undefined },
    ) {
      const { input = {}, actor, key } = given
      const chain = await database.account(accountId, (tx) => find(tx, accountId, id))
      if (JSON.stringify(await definitionOf(accountId, chain)) !== chain.compiled) {
        const compiled = await compile(accountId, chain, chain.revision)
        await database.account(accountId, async (tx) => {
          const current = await lock(tx, accountId, id, undefined)
          // Another request has compiled it meanwhile.
          if (current.revision === compiled.revision) await publish(tx, accountId, current, compiled, { actor, permit: 'recompiled-chain' })
        })
      }
      return deps.start(undefined, {
        accountId,
        workflowId: chain.workflowId,
        version: undefined,
        input,
        origin: { kind: 'chain', id: actor },
        idempotencyKey: key === undefined ? undefined : { value: `chain:${id}:${key}`, operation: 'chains.run' },
      })
    },
  }
}

async function find(tx: Tx, accountId: string, id: string): Promise<Chain> {
  const chain = await findChain(tx, accountId, id)
  if (chain === undefined) throw new Fault('not_found', { detail: 'There is no such chain.' })
  return chain
}

async function lock(tx: Tx, accountId: string, id: string, ifMatch: readonly number[] | undefined): Promise<Chain> {
  const chain = await lockChain(tx, accountId, id)
  if (chain === undefined) throw new Fault('not_found', { detail: 'There is no such chain.' })
  assertRevision('chain', chain.revision, ifMatch)
  return chain
}

/** The findings about the compiled definition, at the members that they are about. */
function invalidMember(fault: Fault): Fault {
  const diagnostics = fault.details.extensions?.['diagnostics']
  const found: readonly JsonValue[] = Array.isArray(diagnostics) ? diagnostics : []
  const errors = found.flatMap((diagnostic): InvalidPart[] => {
    if (typeof diagnostic !== 'object' || diagnostic === null || !('pointer' in diagnostic) || diagnostic['severity'] !== 'error') return []
    const { pointer, message } = diagnostic
    if (typeof pointer !== 'string' || typeof message !== 'string') return []
    return [{ pointer: memberPointer(pointer), detail: message }]
  })
  return new Fault('chain_invalid', errors.length === 0 ? { detail: fault.message, cause: fault } : { errors, cause: fault })
}

/** `/do/1/name/…` of the definition is `/members/1`, and what it says about input or condition is in a member of that name. */
function memberPointer(pointer: string): string {
  const [, index, rest = ''] = /^\/do\/(\d+)(\/.*)?$/.exec(pointer) ?? []
  if (index === undefined) return '/members'
  const branch = /\/fork\/branches\/(\d+)/.exec(rest)?.[1]
  const member = `/members/${index}${branch === undefined ? '' : `/parallel/${branch}`}`
  if (rest.endsWith('/if')) return `${member}/condition`
  return rest.endsWith('/input') ? `${member}/mapping` : member
}
