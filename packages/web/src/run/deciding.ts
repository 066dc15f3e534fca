import type { TimelineEntry } from '#src/run/use-run.ts'
import type { TaskState } from '#src/run/task-states.ts'

const conditions = ['if', 'switch', 'while']

/** The entries of a step that decide something by a condition: its own, and those of the task that chooses among its ways. */
export function decidingIn(own: TaskState, chooser: TaskState | undefined, definition: unknown): readonly TimelineEntry[] {
  const { reference, kind } = own.last
  const task = taskAt(definition, reference)
  const decides = kind === 'switch' || conditions.some((name) => name in task)
  // A definition that is not at hand says nothing about a step that was skipped.
  const entries = decides ? own.entries : own.entries.filter(({ state }) => state === 'skipped')
  return [...entries, ...(chooser?.entries ?? [])]
}

/** Whether a decision belongs to a visit of a step: it is its own, or that of the first task in it. */
export function isDecidedIn(visit: string, position: string): boolean {
  return position === visit || position.startsWith(`${visit}/do/0/`)
}

function taskAt(definition: unknown, reference: string): object {
  const parts = reference.split('/').slice(1)
  return Object(
    parts.reduce<unknown>(
      (at, part) => new Map(Object.entries(Object(at))).get(part.replaceAll('~1', '/').replaceAll('~0', '~')),
      definition,
    ),
  )
}
