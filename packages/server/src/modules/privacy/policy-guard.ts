import { Fault, type JsonValue } from '@millrace/contract'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { type Decision, insertDecision } from './decision-store.ts'
import type { DetectOptions } from './detect/detector.ts'
import { type Inspected, inspectJson, kindsOf } from './inspect-json.ts'
import { detectIn } from './placeholders.ts'
import { findPoliciesFor, type Policy, type PolicyPoint } from './policy-store.ts'

export interface PolicyGuardDeps {
  readonly db: Kysely<Rows>
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly newId: () => string
  readonly onError: (error: unknown) => void
}

/** Where a value belongs. */
export interface GovernedValue {
  readonly accountId: string
  /** Undefined: only the policies of the account apply. */
  readonly workflowId: string | undefined
  /** As `kind:id`. */
  readonly actor: string
  /** As `kind:id`. */
  readonly target?: string | undefined
}

/** A value as a policy leaves it. */
export type Governed = { readonly blocked: false; readonly value: JsonValue } | { readonly blocked: true; readonly reason: string }

/** An output as its policy leaves it. */
export type Disclosed =
  | { readonly blocked: true; readonly reason: string }
  | { readonly blocked: false; readonly isChanged: false }
  | { readonly blocked: false; readonly isChanged: true; readonly value: JsonValue }

/** Another process sees a changed policy after this time. */
const cacheMs = 2_000
const cachedMax = 10_000
const charactersMax = 1_000_000

type Policies = Readonly<Partial<Record<PolicyPoint, Policy>>>

export type PolicyGuard = ReturnType<typeof createPolicyGuard>

/** Applies privacy policies to what executions receive, keep and return, and logs the decisions without the data. */
export function createPolicyGuard({ db, now, newId, onError }: PolicyGuardDeps) {
  const disclosures = new Set<string>()
  const cache = new Map<string, { readonly policies: Promise<Policies>; readonly until: number }>()

  /** Many starts of one workflow at the same time share one query. */
  function policiesFor(accountId: string, workflowId: string | undefined): Promise<Policies> {
    const key = `${accountId}/${workflowId ?? ''}`
    const cached = cache.get(key)
    if (cached !== undefined && cached.until > now()) return cached.policies
    const policies = readPolicies(accountId, workflowId)
    const entry = { policies, until: now() + cacheMs }
    if (cache.size >= cachedMax) cache.clear()
    cache.set(key, entry)
    policies.catch(() => {
      if (cache.get(key) === entry) cache.delete(key)
    })
    return policies
  }

  async function readPolicies(accountId: string, workflowId: string | undefined): Promise<Policies> {
    const found = await findPoliciesFor(db, accountId, workflowId)
    return Object.fromEntries(found.map((policy) => [policy.point, policy]))
  }

  const log = (accountId: string, decision: Omit<Decision, 'id' | 'at'>) =>
    insertDecision(db, accountId, { ...decision, id: newId(), at: new Date(now()) })

  /** The decision about what was found, which is logged if something was. A failure to log it does not undo what was done. */
  async function decide(
    { accountId, ...of }: GovernedValue,
    { point, action, purpose }: Policy,
    { counts, characters, isTruncated }: Pick<Inspected, 'counts' | 'characters' | 'isTruncated'>,
  ): Promise<'none' | 'detected' | 'redacted' | 'blocked'> {
    const isFound = Object.keys(counts).length > 0
    const decided = decidedBy(action, isFound, isTruncated)
    if (decided === 'none' && !isTruncated) return decided
    const reason = isTruncated ? 'The value is too large to be examined as a whole.' : undefined
    const about = {
      source: point === 'input' ? 'execution' : point,
      actor: of.actor,
      workflowId: of.workflowId,
      target: of.target,
    } as const
    await log(accountId, { ...about, purpose, action: decided, reason, counts, characters }).catch(onError)
    return decided
  }

  /** Applies the policy of a point to a value. */
  async function govern(policy: Policy | undefined, of: GovernedValue, value: JsonValue): Promise<Governed> {
    if (policy === undefined) return { blocked: false, value }
    const inspected = await inspectJson(value, optionsOf(policy), charactersMax)
    const decided = await decide(of, policy, inspected)
    if (decided === 'blocked') return { blocked: true, reason: refusal(policy, inspected) }
    return { blocked: false, value: decided === 'redacted' ? inspected.redacted : value }
  }

  return {
    /** The policies of a workflow by their points. */
    policiesFor,

    /**
     * Applies the policy for inputs. @returns the input to start with. Fault `personal_data_blocked`; the decision is committed before.
     */
    async admitInput(
      of: Omit<GovernedValue, 'workflowId'> & { readonly workflowId: string; readonly input: JsonValue },
    ): Promise<JsonValue> {
      const { accountId, workflowId, actor, target, input } = of
      const { input: policy } = await policiesFor(accountId, workflowId)
      if (policy === undefined) return input
      const { counts, characters, pointers, redacted, isTruncated } = await inspectJson(input, optionsOf(policy))
      const decided = decidedBy(policy.action, Object.keys(counts).length > 0, isTruncated)
      const reason = isTruncated ? 'The input is too large to be examined as a whole.' : undefined
      const about = { source: 'execution', actor, workflowId, purpose: policy.purpose } as const
      // A blocked input starts no execution, so its decision has no target.
      await log(accountId, { ...about, target: decided === 'blocked' ? undefined : target, action: decided, reason, counts, characters })
      if (decided === 'blocked') throw blockedFault(policy, pointers, isTruncated)
      return decided === 'redacted' ? redacted : input
    },

    govern,

    /** A text as a policy leaves it, without a decision in the log: for a copy of what another one decides about. Undefined if it is refused. */
    async copyOf(policy: Policy | undefined, text: string): Promise<string | undefined> {
      if (policy === undefined) return text
      const { counts, isTruncated, redacted } = await inspectJson(text, optionsOf(policy), charactersMax)
      const decided = decidedBy(policy.action, Object.keys(counts).length > 0, isTruncated)
      if (decided === 'blocked') return undefined
      return decided === 'redacted' && typeof redacted === 'string' ? redacted : text
    },

    /** Applies the policy for outputs to what a caller gets of an execution. Repeated reads of the same value leave one decision. */
    async disclose(of: GovernedValue & { readonly target: string }, value: () => JsonValue): Promise<Disclosed> {
      const { output: policy } = await policiesFor(of.accountId, of.workflowId)
      if (policy === undefined) return { blocked: false, isChanged: false }
      const inspected = await inspectJson(value(), optionsOf(policy), charactersMax)
      const key = `${of.target}/${policy.id}/${policy.revision}`
      const isLogged = disclosures.has(key)
      if (disclosures.size >= cachedMax) disclosures.clear()
      disclosures.add(key)
      const decided = isLogged
        ? decidedBy(policy.action, Object.keys(inspected.counts).length > 0, inspected.isTruncated)
        : await decide(of, policy, inspected)
      if (decided === 'blocked') return { blocked: true, reason: refusal(policy, inspected) }
      return decided === 'redacted' ? { blocked: false, isChanged: true, value: inspected.redacted } : { blocked: false, isChanged: false }
    },

    /** Decides about texts for a model. @returns what to replace in them. Fault `consent_required`, as when the preferences refuse. */
    async admitPrompt(of: GovernedValue, texts: readonly string[]): Promise<DetectOptions | undefined> {
      const { prompts: policy } = await policiesFor(of.accountId, of.workflowId)
      if (policy === undefined) return undefined
      const options = optionsOf(policy)
      const characters = texts.reduce((sum, { length }) => sum + length, 0)
      const isTruncated = characters > charactersMax
      const counts = isTruncated ? {} : detectIn(texts, options)
      const decided = await decide(of, policy, { counts, characters, isTruncated })
      if (decided === 'blocked') throw new Fault('consent_required', { detail: refusal(policy, { counts, isTruncated }) })
      return decided === 'redacted' ? options : undefined
    },

    /** After the commit of a changed policy. */
    forget: () => cache.clear(),
  }
}

function decidedBy(action: Policy['action'], isFound: boolean, isTruncated: boolean): 'none' | 'detected' | 'redacted' | 'blocked' {
  if ((action === 'block' && isFound) || (action !== 'detect' && isTruncated)) return 'blocked'
  if (!isFound) return 'none'
  return action === 'redact' ? 'redacted' : 'detected'
}

function optionsOf({ kinds, minScore }: Policy): DetectOptions {
  return { ...kindsOf(kinds), minScore }
}

const subjects = {
  input: 'inputs',
  journal: 'results of tasks',
  output: 'outputs',
  prompts: 'prompts for models',
  logs: 'messages',
} as const satisfies Record<PolicyPoint, string>

/** Names the kinds, never the data. */
function refusal({ workflowId, point }: Policy, { counts, isTruncated }: Pick<Inspected, 'counts' | 'isTruncated'>): string {
  const policy = `The privacy policy of the ${workflowId === undefined ? 'account' : 'workflow'} refuses ${subjects[point]}`
  if (isTruncated) return `${policy} that are too large to be examined.`
  return `${policy} with personal data: ${Object.keys(counts).toSorted().join(', ')}.`
}

function blockedFault({ workflowId }: Policy, pointers: readonly string[], isTruncated: boolean): Fault {
  const of = workflowId === undefined ? 'account' : 'workflow'
  if (isTruncated)
    return new Fault('personal_data_blocked', {
      detail: `The privacy policy of the ${of} refuses an input that is too large to be examined.`,
    })
  return new Fault('personal_data_blocked', {
    detail: `The privacy policy of the ${of} refuses inputs with personal data; see \`errors\`.`,
    errors: pointers.map((pointer) => ({ pointer: `/input${pointer}`, detail: 'Contains personal data that the policy refuses.' })),
  })
}
