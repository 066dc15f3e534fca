import type { PoolClient } from 'pg'
import { createEvaluator, type Evaluations, type Evaluator } from '#events/evaluate.ts'
import type { EventFilterCache } from '#events/filter-cache.ts'
import type { AccountChanges } from './apply-matches.ts'
import { type Budget, createBudget, stepsOfSize } from './budget.ts'
import { evaluateFilters } from './evaluate-filters.ts'
import { indexFilters } from './index-filters.ts'
import { match } from './match.ts'
import { readFilters } from './read-listeners.ts'
import { type MatchPass, readPasses, type UnmatchedOfAccount } from './read-pass.ts'
import { type AccountSelection, readUnmatchedEvents, readUnmatchedListeners } from './read-unmatched.ts'
import type { EventRecord, ListenerRecord } from './records.ts'
import { createYielder, type Yielder } from './yielder.ts'

export interface SliceDeps {
  readonly filters: EventFilterCache
  /** Writes changes in a transaction of its own. */
  readonly apply: (client: PoolClient, changes: readonly AccountChanges[]) => Promise<void>
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  /** By account, the results of filters for its next event, where the budget was spent before all were evaluated. Slices update it. */
  readonly unfinished: Map<string, Evaluations>
  /** Steps that one account may take in a slice to evaluate filters, and as many again to match. */
  readonly accountSteps: number
}

export interface SliceResult {
  readonly hadWork: boolean
  /** Accounts that have spent their budget and may have more work. */
  readonly overBudget: readonly string[]
}

/** A slice ends after the steps of this many accounts; the remaining accounts wait for the next slice. */
const SLICE_ACCOUNTS = 5

/** The part of one account in a slice. */
interface AccountShare {
  readonly evaluator: Evaluator
  readonly filterBudget: Budget
  readonly matchBudget: Budget
  /** The budget that is charged for evaluations now: `filterBudget` before `matchBudget`. */
  charged: Budget
}

interface Slice {
  readonly deps: SliceDeps
  readonly shares: Map<string, AccountShare>
  readonly yielder: Yielder
}

/**
 * One bounded slice of matching: reads unmatched events and listeners, decides in memory and outside of any transaction, and applies the changes account by account.
 * If a listener ends in between, the changes of its account are discarded, and the next slice decides them again.
 */
export async function matchSlice(client: PoolClient, deps: SliceDeps, accounts: AccountSelection): Promise<SliceResult> {
  // Listeners before events: an event that arrives in between is matched in the next slice, which finds its listener.
  const listeners = await readUnmatchedListeners(client, deps.filters, accounts)
  const events = await readUnmatchedEvents(client, accounts)
  if (listeners.length + events.length === 0) return { hadWork: false, overBudget: [] }
  const slice: Slice = { deps, shares: new Map(), yielder: createYielder(deps.elapsed) }
  const evaluated = await evaluateAccounts(client, slice, listeners, events)
  await matchAccounts(client, slice, await readPasses(client, deps.filters, evaluated))
  const overBudget = [...slice.shares].filter(([, { filterBudget, matchBudget }]) => filterBudget.isSpent || matchBudget.isSpent)
  return { hadWork: true, overBudget: overBudget.map(([accountId]) => accountId) }
}

/** Evaluates the filters of one account after the other, as far as the budgets of the accounts and of the slice allow. */
async function evaluateAccounts(
  client: PoolClient,
  { deps, shares, yielder }: Slice,
  listeners: readonly ListenerRecord[],
  events: readonly EventRecord[],
): Promise<readonly UnmatchedOfAccount[]> {
  const { unfinished, accountSteps } = deps
  const filtersOf = Map.groupBy(events.length === 0 ? [] : await readFilters(client, deps.filters, events), accountIdOf)
  const [eventsOf, listenersOf] = [Map.groupBy(events, accountIdOf), Map.groupBy(listeners, accountIdOf)]
  const evaluatedAccounts: UnmatchedOfAccount[] = []
  let sliceSteps = 0
  for (const accountId of new Set([...eventsOf.keys(), ...listenersOf.keys()])) {
    if (sliceSteps > SLICE_ACCOUNTS * accountSteps) break
    const share = createShare(accountSteps, unfinished.get(accountId))
    shares.set(accountId, share)
    const filters = filtersOf.get(accountId) ?? []
    const evaluated = await yielder.run(evaluateFilters(eventsOf.get(accountId) ?? [], filters, share.evaluator, share.filterBudget))
    sliceSteps += share.filterBudget.spent
    if (evaluated.unfinished === undefined) unfinished.delete(accountId)
    else unfinished.set(accountId, evaluated.unfinished)
    evaluatedAccounts.push({ accountId, listeners: listenersOf.get(accountId) ?? [], filters, evaluated })
  }
  return evaluatedAccounts
}

/** Matches one account after the other, and applies the changes whenever they have taken the steps of one account. */
async function matchAccounts(client: PoolClient, { deps, shares, yielder }: Slice, passes: readonly MatchPass[]): Promise<void> {
  let changes: AccountChanges[] = []
  let unappliedSteps = 0
  let sliceSteps = 0
  for (const pass of passes) {
    const share = shares.get(pass.accountId)
    if (share === undefined || sliceSteps > SLICE_ACCOUNTS * deps.accountSteps) break
    share.charged = share.matchBudget
    changes.push(await yielder.run(decideChanges(pass, share)))
    unappliedSteps += share.matchBudget.spent
    sliceSteps += share.matchBudget.spent
    if (unappliedSteps < deps.accountSteps) continue
    await deps.apply(client, changes)
    changes = []
    unappliedSteps = 0
  }
  if (changes.length > 0) await deps.apply(client, changes)
}

function* decideChanges(pass: MatchPass, { evaluator: { evaluate }, matchBudget: budget }: AccountShare): Generator<void, AccountChanges> {
  for (const { scopeSize } of pass.candidates.items) budget.spend(1 + stepsOfSize(scopeSize))
  const indexing = yield* indexFilters(pass, { evaluate, budget })
  const matches = yield* match(pass, indexing, { evaluate, budget })
  return { indexing, matches }
}

function createShare(stepsMax: number, previous: Evaluations | undefined): AccountShare {
  const [filterBudget, matchBudget] = [createBudget(stepsMax), createBudget(stepsMax)]
  const share: AccountShare = {
    evaluator: createEvaluator({ spend: (steps) => share.charged.spend(steps), previous }),
    filterBudget,
    matchBudget,
    charged: filterBudget,
  }
  return share
}

function accountIdOf({ accountId }: { readonly accountId: string }): string {
  return accountId
}
