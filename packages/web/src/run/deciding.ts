import type { TaskState } from '#src/run/task-states.ts'

const conditions = ['if', 'switch', 'while']

/**
 * Finds what decided in a visit of a step by a condition: the visit itself, and the task in it that chooses among its ways.
 * @returns positions for the position of a visit
 */
export function decidingIn(own: TaskState, chooser: TaskState | undefined, definition: unknown): (visit: string) => readonly string[] {
  const { reference, kind } = own.last
  const task = taskAt(definition, reference)
  const decides = kind === 'switch' || conditions.some((name) => name in task)
  // A definition that is not at hand says nothing about a step that was skipped.
  const entries = decides ? own.entries : own.entries.filter(({ state }) => state === 'skipped')
  const positions = [...entries, ...(chooser?.entries ?? [])].map(({ position }) => position)
  return (visit) => positions.filter((position) => position === visit || position.startsWith(`${visit}/do/0/`))
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
