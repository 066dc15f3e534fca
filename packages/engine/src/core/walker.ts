import type { Json } from './json.ts'
import type { Directive, Sequence, TaskNode } from './node.ts'
import type { Walk } from './request.ts'
import type { Place, Scope } from './scope.ts'

/** What a task body came to: its raw output, and a directive when the body itself decides where to go (`switch`, `catch.then`). */
export interface BodyResult {
  readonly output: Json
  readonly then?: Directive
}

/** How a list ended: `exited` when a task of it left the list early by `then: exit`. */
export interface SequenceResult {
  readonly output: Json
  readonly exited: boolean
}

/** What bodies that contain tasks call back; handed in so that the files of the interpreter do not import one another in circles. */
export interface Walker {
  sequence(sequence: Sequence, input: Json, place: Place): Walk<SequenceResult>
  task(node: TaskNode, input: Json, place: Place, position: string): Walk<TaskResult>
  /** Runs `walk` against the clock; undefined when the time is up first. */
  deadline<T extends Json>(walk: (place: Place) => Walk<T>, place: Place, position: string, dueAtMs: number): Walk<T | undefined>
}

export interface TaskResult {
  readonly output: Json
  readonly then: Directive
}

/** Thrown, not returned, by `then: end`: it passes every scope up to the workflow, and no `catch` sees it, since it is no error. */
export class EndSignal {
  readonly output: Json
  constructor(output: Json) {
    this.output = output
  }
}

/** The place of tasks inside `scope`'s task. */
export function inside(scope: Scope, path: string, locals = scope.place.locals): Place {
  return { ...scope.place, path, locals }
}

/** The place of tasks that run once for each of several values: the variables that hold the value and its index are bound. */
export function insideIteration(scope: Scope, path: string, item: Variable<Json>, at: Variable<number>): Place {
  const place = inside(scope, path, { ...at, outer: { ...item, outer: scope.place.locals } })
  return { ...place, run: { ...place.run, iteration: [...place.run.iteration, at.value] } }
}

interface Variable<T> {
  readonly name: string
  readonly value: T
}
