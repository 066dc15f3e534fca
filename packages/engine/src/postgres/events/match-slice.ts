import { setImmediate } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { createEvaluator, type Evaluations, type Evaluator } from '#events/evaluate.ts'
import type { EventFilterCache } from '#events/filter-cache.ts'
import { askFilters } from './ask-filters.ts'
import { type Budget, createBudget } from './budget.ts'
import { type AccountPlan, planAccount } from './plan-account.ts'
import { type FoundEvent, type FoundListener, readFilters } from './read-bus.ts'
import { type Accounts, readUnmatchedEvents, readUnmatchedListeners } from './read-unmatched.ts'
import { type AccountStart, readWork } from './read-work.ts'

export interface SliceDeps {
  readonly filters: EventFilterCache
  /** Writes down what has been worked out, in a transaction of its own. */
  readonly apply: (client: PoolClient, plans: readonly AccountPlan[]) => Promise<void>
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsed: () => number
  /** What filters have said of the next event of accounts whose budget did not last for it. */
  readonly unfinished: Map<string, Evaluations>
  /** Steps that one account may take in a slice: for asking whom its events are for, and as many for the rest. */
  readonly accountSteps: number
}

export interface SliceResult {
  /** Whether there was anything to do. */
  readonly found: boolean
  /** Accounts that have more to do than their budget. */
  readonly overspent: readonly string[]
}

/** How many accounts may take all their steps in a slice; the others wait for the next one. */
const SLICE_ACCOUNTS = 5
/** Filters are asked for no longer than this at a stretch, so that everything else of the process gets its turn. */
const STRETCH_MS = 5

/** What one account may take in a slice. */
interface Turn {
  readonly evaluator: Evaluator
  readonly asking: Budget
  readonly planning: Budget
  /** The one of them that evaluations are charged to. */
  charged: Budget
}

/**
 * One bounded step of bringing events and listeners together: reads what nobody has looked at, works out in memory what goes where, outside of any transaction,
 * and writes that down, account by account. What goes away in between is left to the next slice.
 */
export async function matchSlice(client: PoolClient, deps: SliceDeps, accounts: Accounts): Promise<SliceResult> {
  // Listeners before events: an event that comes in between is looked at in the next slice, which finds the listener.
  const unmatched = await readUnmatchedListeners(client, deps.filters, accounts)
  const events = await readUnmatchedEvents(client, accounts)
  if (unmatched.length + events.length === 0) return { found: false, overspent: [] }
  const turns = new Map<string, Turn>()
  const breathe = createBreath(deps.elapsed)
  const starts = await askAll(client, deps, { unmatched, events }, { turns, breathe })
  let plans: AccountPlan[] = []
  let spent = 0
  let total = 0
  for (const work of await readWork(client, deps.filters, starts)) {
    const turn = turns.get(work.accountId)
    if (turn === undefined || total > SLICE_ACCOUNTS * deps.accountSteps) break
    turn.charged = turn.planning
    plans.push(await drive(planAccount(work, turn.evaluator, turn.planning), breathe))
    spent += turn.planning.spent
    total += turn.planning.spent
    if (spent < deps.accountSteps) continue
    await deps.apply(client, plans)
    plans = []
    spent = 0
  }
  if (plans.length > 0) await deps.apply(client, plans)
  const overspent = [...turns].filter(([, { asking, planning }]) => asking.isSpent || planning.isSpent).map(([accountId]) => accountId)
  return { found: true, overspent }
}

/** Asks the filters of each account for its events, account by account, as far as the budgets go. */
async function askAll(
  client: PoolClient,
  deps: SliceDeps,
  { unmatched, events }: { readonly unmatched: readonly FoundListener[]; readonly events: readonly FoundEvent[] },
  { turns, breathe }: { readonly turns: Map<string, Turn>; readonly breathe: Breathe },
): Promise<readonly AccountStart[]> {
  const { filters, unfinished, accountSteps } = deps
  const accountOf = ({ accountId }: { readonly accountId: string }) => accountId
  const asked = Map.groupBy(events.length === 0 ? [] : await readFilters(client, filters, events), accountOf)
  const [eventsOf, unmatchedOf] = [Map.groupBy(events, accountOf), Map.groupBy(unmatched, accountOf)]
  const starts: AccountStart[] = []
  let total = 0
  for (const accountId of new Set([...eventsOf.keys(), ...unmatchedOf.keys()])) {
    if (total > SLICE_ACCOUNTS * accountSteps) break
    const turn = createTurn(accountSteps, unfinished.get(accountId))
    turns.set(accountId, turn)
    const common = { accountId, unmatched: unmatchedOf.get(accountId) ?? [], filters: asked.get(accountId) ?? [] }
    const said = await drive(askFilters(eventsOf.get(accountId) ?? [], common.filters, turn.evaluator, turn.asking), breathe)
    total += turn.asking.spent
    if (said.unfinished === undefined) unfinished.delete(accountId)
    else unfinished.set(accountId, said.unfinished)
    starts.push({ ...common, asked: said })
  }
  return starts
}

function createTurn(stepsMax: number, before: Evaluations | undefined): Turn {
  const [asking, planning] = [createBudget(stepsMax), createBudget(stepsMax)]
  const turn: Turn = {
    evaluator: createEvaluator({ spend: (steps) => turn.charged.spend(steps), previous: before }),
    asking,
    planning,
    charged: asking,
  }
  return turn
}

type Breathe = () => Promise<void> | undefined

/** Gives everything else of the process its turn, where it is time for that. */
function createBreath(elapsed: () => number): Breathe {
  let since = elapsed()
  return () => {
    if (elapsed() - since < STRETCH_MS) return undefined
    return setImmediate().then(() => {
      since = elapsed()
    })
  }
}

async function drive<T>(work: Generator<void, T>, breathe: Breathe): Promise<T> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value
    const pause = breathe()
    if (pause !== undefined) await pause
  }
}
