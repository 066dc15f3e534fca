import { type Imported, ImportError } from '#src/import/report.ts'
import { at, type Data, isRecord, listOf, numberOf, textOf } from '#src/import/value.ts'
import { isTimeZone } from '#src/schedule/time-zone.ts'
import { type Part, Recorder, segment, type Task, type TaskList } from './recorder.ts'

/** Whether a document is a workflow in the form of GitHub Actions. */
export function isActionsWorkflow(value: unknown): value is Data {
  if (!isRecord(value) || !isRecord(value['jobs'])) return false
  return Object.values(value['jobs']).some((job) => isRecord(job) && (Array.isArray(job['steps']) || typeof job['uses'] === 'string'))
}

const stepsMax = 2_000
const jobsMax = 1_000

/** `timeZone` is undefined for UTC. */
type DefinitionSchedule = { readonly schedule: { readonly cron: string }; readonly timeZone?: string }

/** Converts jobs in the order of their `needs`. Steps that need a machine of their own fail until they are replaced. */
export function convertActions(workflow: Data): Imported {
  const recorder = new Recorder()
  // YAML 1.1 reads `on` as true.
  const own = scheduleOf(workflow['on'] ?? workflow['true'], recorder)
  const jobs = isRecord(workflow['jobs']) ? workflow['jobs'] : {}
  const list = orderOf(jobs).map((id) => jobTask(id, jobs[id], recorder))
  return recorder.result('github-actions', textOf(workflow['name']), list, own ?? {})
}

/** The only cron expression with its time zone: the definition has it. */
function scheduleOf(on: unknown, recorder: Recorder): DefinitionSchedule | undefined {
  const events = typeof on === 'string' ? [on] : Array.isArray(on) ? on.map(textOf) : isRecord(on) ? Object.keys(on) : []
  const times = listOf(at(on, 'schedule')).flatMap((one) => {
    const cron = textOf(at(one, 'cron'))
    return cron === '' ? [] : [{ cron, timeZone: textOf(at(one, 'timezone')).slice(0, 100) || 'UTC' }]
  })
  const [only] = times
  const own = times.length === 1 && only !== undefined && isTimeZone(only.timeZone) ? only : undefined
  for (const event of events) {
    const part: Part = { pointer: `/on${segment(event)}`, name: event, type: 'event' }
    recorder.part(part)
    if (event === 'workflow_dispatch') recorder.startsByItself(part, 'manual')
    else if (event === 'workflow_call') recorder.startsByItself(part, 'workflow')
    else if (event === 'schedule' && own !== undefined)
      recorder.startsByItself(part, 'schedule', { crons: [own.cron], timeZone: own.timeZone })
    else if (event === 'schedule') {
      for (const { cron, timeZone } of times)
        recorder.triggers.push({ name: event, kind: 'schedule', settings: { crons: [cron], timeZone } })
      recorder.find(part, 'note', 'Becomes triggers of kind schedule: create them after you publish.')
    } else {
      recorder.triggers.push({ name: event, kind: 'webhook', settings: { signature: { scheme: 'github' }, event } })
      recorder.find(part, 'adapted', 'Becomes a webhook that GitHub calls. Filters such as branches are not kept.')
    }
  }
  if (own === undefined) return undefined
  return { schedule: { cron: own.cron }, ...(own.timeZone === 'UTC' ? {} : { timeZone: own.timeZone }) }
}

/** Jobs after those that they need; what needs itself keeps its place. */
function orderOf(jobs: Data): readonly string[] {
  let left = Object.entries(jobs).map(([id, job]) => ({
    id,
    needs: [...new Set(needsOf(job))].filter((need) => Object.hasOwn(jobs, need)),
  }))
  if (left.length > jobsMax) throw new ImportError(`The workflow has more than ${jobsMax} jobs.`, '/jobs')
  const done = new Set<string>()
  while (left.length > 0) {
    const ready = left.filter(({ needs }) => needs.every((need) => done.has(need)))
    for (const { id } of ready.length === 0 ? left : ready) done.add(id)
    left = left.filter(({ id }) => !done.has(id))
  }
  return [...done]
}

function needsOf(job: unknown): readonly string[] {
  const needs = at(job, 'needs')
  return typeof needs === 'string' ? [needs] : listOf(needs).map(textOf)
}

function jobTask(id: string, job: unknown, recorder: Recorder): Record<string, Task> {
  const part: Part = { pointer: `/jobs${segment(id)}`, name: textOf(at(job, 'name')) || id, type: 'job' }
  const name = recorder.part(part)
  const steps = listOf(at(job, 'steps'))
  if (steps.length > stepsMax) throw new ImportError(`The job has more than ${stepsMax} steps.`, part.pointer)
  if (typeof at(job, 'uses') === 'string')
    return { [name]: recorder.missing(part, `The reusable workflow ${textOf(at(job, 'uses'))} is not part of the file.`, job) }
  for (const key of ['strategy', 'services', 'container', 'outputs', 'if', 'environment', 'concurrency'])
    if (at(job, key) !== undefined) recorder.find(part, 'adapted', `Its ${key} is not kept.`, `/${key}`)
  const minutes = numberOf(at(job, 'timeout-minutes'))
  const inner = steps.map((step, index) => stepTask(step, `${part.pointer}/steps/${index}`, recorder))
  const list: TaskList = inner.length === 0 ? [{ [`${name}-nothing`]: { set: '${ . }' } }] : inner
  return { [name]: { do: list, ...(minutes > 0 ? { timeout: { after: { minutes } } } : {}) } }
}

function stepTask(step: unknown, pointer: string, recorder: Recorder): Record<string, Task> {
  const [run, uses] = [textOf(at(step, 'run')).trim(), textOf(at(step, 'uses'))]
  const part: Part = { pointer, name: textOf(at(step, 'name')) || uses || run.split('\n')[0] || 'step', type: uses === '' ? 'run' : uses }
  const name = recorder.part(part)
  if (at(step, 'if') !== undefined) recorder.find(part, 'adapted', 'Its condition is not kept: the step always runs.', '/if')
  const task = uses === '' ? commandTask(run, part, recorder, step) : recorder.missing(part, `The action ${uses} has no counterpart.`, step)
  const continues = at(step, 'continue-on-error') === true && !('raise' in task)
  return { [name]: continues ? { try: [{ [`${name}-try`]: task }], catch: { do: [{ [`${name}-failed`]: { set: '${ . }' } }] } } : task }
}

/** The few commands that need no machine: a pause, a message, a request. */
function commandTask(run: string, part: Part, recorder: Recorder, step: unknown): Task {
  const [, amount = '', unit = 's'] = /^sleep (\d+)([smhd]?)$/.exec(run) ?? []
  const units: Readonly<Record<string, string>> = { s: 'seconds', m: 'minutes', h: 'hours', d: 'days' }
  if (amount !== '') return { wait: { [units[unit || 's'] ?? 'seconds']: Number(amount) } }
  const message = /^echo (?:"([^"$`\\]*)"|'([^']*)'|([\w .,:!-]+))$/.exec(run)
  if (message !== null) return { set: { message: message[1] ?? message[2] ?? message[3] ?? '' } }
  const request =
    /^curl((?: -[fsSL]+| --(?:fail|silent|show-error|location))*)(?: -X (GET|POST|PUT|DELETE|PATCH))? ["']?(https?:\/\/[\w.-]+(?::\d+)?(?:\/[\w\-./~%]*)?)["']?$/.exec(
      run,
    )
  if (request !== null) return { call: 'http', with: { method: (request[2] ?? 'GET').toLowerCase(), endpoint: request[3] ?? '' } }
  return recorder.missing(part, 'It is a command of a shell, which Millrace does not run.', step)
}
