/** A page of a list. */
export interface ListCase {
  /** Also the name of the file with its plan. */
  readonly name: string
  readonly what: string
  readonly page: 'executions' | 'workflows' | 'timeline'
  /** For executions: the busiest workflow, or one with few executions. */
  readonly workflow?: 'quiet'
  /** Parameters of the query; placeholders such as `@early` are replaced by values of the data. */
  readonly query: Readonly<Record<string, string>>
}

/** The values of the placeholders. */
export type Places = Readonly<Record<`@${string}`, string>>

const executions = (name: string, what: string, query: ListCase['query'] = {}): ListCase => ({ name, what, page: 'executions', query })
const workflows = (name: string, what: string, query: ListCase['query'] = {}): ListCase => ({ name, what, page: 'workflows', query })

export const listCases: readonly ListCase[] = [
  executions('executions-first', 'first page'),
  executions('executions-first-100', 'first page of 100', { limit: '100' }),
  { ...executions('executions-quiet', 'first page of a workflow that ran little'), workflow: 'quiet' },
  executions('executions-deep', 'page behind half of all, by cursor', { cursor: '@deep' }),
  executions('executions-completed', 'state: nearly all', { state: 'completed' }),
  executions('executions-faulted', 'state: one in fifty', { state: 'faulted' }),
  executions('executions-suspended', 'state: a handful', { state: 'suspended' }),
  executions('executions-pending', 'state: none', { state: 'pending' }),
  executions('executions-suspended-deep', 'state: a handful, behind half of all', { state: 'suspended', cursor: '@deep' }),
  executions('executions-schedule', 'trigger: four in ten', { trigger: 'schedule' }),
  executions('executions-trigger-workflow', 'trigger: one in a hundred', { trigger: 'workflow' }),
  executions('executions-day', 'a day in the middle', { from: '@middle', to: '@middleNextDay' }),
  executions('executions-week', 'a week in the middle', { from: '@middle', to: '@middleNextWeek' }),
  executions('executions-faulted-week', 'state, in a week in the middle', { state: 'faulted', from: '@middle', to: '@middleNextWeek' }),
  {
    ...executions('executions-quiet-week', 'a week of a workflow that ran little', { from: '@middle', to: '@middleNextWeek' }),
    workflow: 'quiet',
  },
  executions('executions-since', 'everything since the middle', { from: '@middle' }),
  executions('executions-before', 'everything before the middle', { to: '@middle' }),
  executions('executions-empty-range', 'a time in which nothing ran', { from: '@beforeAll', to: '@early' }),
  executions('executions-faulted-schedule', 'state and trigger', { state: 'faulted', trigger: 'schedule' }),
  executions('executions-suspended-workflow', 'a rare state and a rare trigger: none', { state: 'suspended', trigger: 'workflow' }),
  executions('executions-suspended-day', 'a rare state on one day: none', { state: 'suspended', from: '@middle', to: '@middleNextDay' }),
  executions('executions-worst', 'a rare state and a rare trigger in half of the time, 100 rows', {
    state: 'suspended',
    trigger: 'event',
    from: '@early',
    to: '@middle',
    limit: '100',
  }),
  executions('executions-trigger-range', 'a rare trigger in half of the time, 100 rows', {
    trigger: 'workflow',
    from: '@early',
    to: '@middle',
    limit: '100',
  }),
  workflows('workflows', 'first page'),
  workflows('workflows-last-execution', 'sorted by last execution', { sort: 'lastExecution', limit: '100' }),
  workflows('workflows-name', 'sorted by name', { sort: 'name', limit: '100' }),
  workflows('workflows-search', 'search for text', { q: 'flow-1', limit: '100' }),
  { name: 'timeline', what: 'one execution with 61 entries', page: 'timeline', query: {} },
]

/** The query of a case with its placeholders replaced. */
export function queryOf({ query }: ListCase, places: Places): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      if (!value.startsWith('@')) return [name, value]
      const place = places[`@${value.slice(1)}`]
      if (place === undefined) throw new Error(`there is no place ${value}`)
      return [name, place]
    }),
  )
}
