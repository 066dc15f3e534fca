import { isObject, type Json, type JsonObject } from '#core/json.ts'
import type { MachineChanges } from '#core/machine.ts'
import type { TaskNode } from '#core/node.ts'
import type { MessageRequest, Request } from '#core/request.ts'

/** What a task waits for. */
export interface TaskWait {
  readonly what: 'time' | 'retry' | 'event' | 'decision' | 'execution'
  /** When it continues; of an event, a decision or another execution when the timeout of the task ends the wait. */
  readonly untilMs: number | undefined
  /** Of a retry: the number of the next attempt, from 1, and of the last one. */
  readonly attempt?: number
  readonly attemptsMax?: number | undefined
  /** The events of which it takes one, or each. */
  readonly events?: readonly AwaitedEvent[]
  /** Name of the other workflow. */
  readonly workflow?: string
}

interface AwaitedEvent {
  /** Its attributes as the definition requires them; an expression is in its place. */
  readonly attributes: JsonObject
  /** Values of the execution by which it is recognized. */
  readonly correlation: JsonObject
}

/** More filters than that do not explain anything. */
const EVENTS_MAX = 20

type Waiting = Extract<Request, { readonly kind: 'message' | 'timer' | 'child' }>

/** The task of a request, and what the request is to it. */
interface Role {
  readonly task: string
  /** `deadline`: it ends the task, which may wait for something else or work. */
  readonly is: 'wait' | 'retry' | 'deadline'
}

/** Tracks the tasks with an open request for a time, a message or another execution. */
export function createWaitingTasks(isTask: (position: string) => boolean) {
  const tasks = new Map<string, string>()
  /** The requests of each task, by their position. */
  const requests = new Map<string, Map<string, { readonly request: Waiting; readonly role: Role }>>()
  const attemptsMax = new Map<string, number>()
  let changed = new Set<string>()

  function remove(position: string): void {
    const task = tasks.get(position)
    if (task === undefined) return
    tasks.delete(position)
    requests.get(task)?.delete(position)
    changed.add(task)
  }

  function add(request: Waiting): void {
    const role = roleOf(request, isTask)
    tasks.set(request.position, role.task)
    const own = requests.get(role.task) ?? new Map<string, { readonly request: Waiting; readonly role: Role }>()
    requests.set(role.task, own)
    own.set(request.position, { request, role })
    changed.add(role.task)
  }

  return {
    remove,
    /** Notes how often a task is tried. */
    began(position: string, { body }: TaskNode): void {
      const retriesMax = body.kind === 'try' ? body.catch.retry?.retriesMax : undefined
      if (retriesMax !== undefined) attemptsMax.set(position, retriesMax + 1)
    },
    update({ opened, abandoned }: Pick<MachineChanges, 'opened' | 'abandoned'>): void {
      for (const position of abandoned) remove(position)
      for (const { request } of opened) if (request.kind === 'message' || request.kind === 'timer' || request.kind === 'child') add(request)
    },
    /** What a task waits for; undefined if it does not wait. */
    waitOf(task: string): TaskWait | undefined {
      const own = [...(requests.get(task)?.values() ?? [])]
      const found = own.find(({ role }) => role.is !== 'deadline')
      const deadline = own.find(({ role }) => role.is === 'deadline')?.request
      const untilMs = deadline?.kind === 'timer' ? deadline.dueAtMs : undefined
      return found && describe(found.request, found.role, { untilMs, attemptsMax: attemptsMax.get(task) })
    },
    /** Tasks whose requests have changed since the last call. */
    takeChanged(): ReadonlySet<string> {
      const taken = changed
      changed = new Set()
      return taken
    },
  }
}

const retryEnd = '/catch/retry'
const deadlineEnd = '/timeout'

/** The timer of a `wait` task is at the position of the task; those of attempts and timeouts are below it. */
function roleOf(request: Waiting, isTask: (position: string) => boolean): Role {
  const { position } = request
  if (request.kind === 'message') return { task: request.wait.position, is: 'wait' }
  if (isTask(position)) return { task: position, is: 'wait' }
  if (position.endsWith(retryEnd)) return { task: triedTask(position.slice(0, -retryEnd.length), isTask).task, is: 'retry' }
  return position.endsWith(deadlineEnd) ? { task: position.slice(0, -deadlineEnd.length), is: 'deadline' } : { task: position, is: 'wait' }
}

/** The task of an attempt, and the number of the attempt from 1: `/do/0/guard!1` is the second one. */
function triedTask(path: string, isTask: (position: string) => boolean): { readonly task: string; readonly attempt: number } {
  if (isTask(path)) return { task: path, attempt: 1 }
  const [end = '', index = '0'] = /!(\d+)$/.exec(path) ?? []
  return { task: path.slice(0, path.length - end.length), attempt: Number(index) + 1 }
}

interface Limits {
  readonly untilMs: number | undefined
  readonly attemptsMax: number | undefined
}

function describe(request: Waiting, { task, is }: Role, { untilMs, attemptsMax }: Limits): TaskWait {
  if (request.kind === 'child') return { what: 'execution', untilMs, workflow: request.name }
  if (request.kind === 'message')
    return request.wait.topic === 'events'
      ? { what: 'event', untilMs, events: eventsOf(request.wait.arguments) }
      : { what: 'decision', untilMs }
  if (is !== 'retry') return { what: 'time', untilMs: request.dueAtMs }
  const { attempt } = triedTask(request.position.slice(0, -retryEnd.length), (position) => position === task)
  return { what: 'retry', untilMs: request.dueAtMs, attempt: attempt + 1, attemptsMax }
}

/** The filters of a `listen` that an event has not passed yet. */
function eventsOf(given: MessageRequest['wait']['arguments']): readonly AwaitedEvent[] {
  const { takes, filters, had } = isObject(given) ? given : {}
  const passed = new Set(takes === 'each' ? membersOf(had).map(({ index }) => index) : [])
  return membersOf(filters)
    .filter(({ role, index }) => role === 'event' && !passed.has(index))
    .slice(0, EVENTS_MAX)
    .map(({ filter, expected }) => ({ attributes: objectOf(objectOf(filter).with), correlation: objectOf(expected) }))
}

const membersOf = (value: Json | undefined): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
const objectOf = (value: Json | undefined): JsonObject => (value !== undefined && isObject(value) ? value : {})
